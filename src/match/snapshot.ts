// From the fields that the scripts keep of a game to the snapshot that the rules look at.
import { settingsOf } from '../lobby/schema.ts';
import type { Match, MatchQuestion, Player, StoredAnswer, Tally } from './rules.ts';

/**
 * @param snapshot as snapshot.lua tells it
 * @returns null where there is no game
 */
export function parseMatch(snapshot: string): Match | null {
  const parts = snapshot.split('\0');
  const [nextQuestion, question] = [parts.pop(), parts.pop()];
  const { fields, players, answers } = sortFields(parts);
  if (!fields.gameId) return null;
  const text = (name: string) => fields[name] ?? '';
  const round = Number(fields.round);
  // The release before intermissions has kept all questions beside the rest.
  const questions = fields.questions && (JSON.parse(fields.questions) as MatchQuestion[]);
  const parse = (json: string | undefined) => json && (JSON.parse(json) as MatchQuestion);
  return {
    lobbyId: text('lobbyId'),
    gameId: text('gameId'),
    code: text('code'),
    settings: settingsOf(JSON.parse(text('settings'))),
    status: text('status') as Match['status'],
    round,
    totalRounds: questions ? questions.length : Number(fields.totalRounds),
    question: (questions ? questions[round - 1] : parse(question)) || null,
    nextQuestion: (questions ? questions[round] : parse(nextQuestion)) || null,
    isEnding: fields.ending !== undefined,
    presenterId: fields.presenter ?? null,
    durationMs: Number(fields.durationMs),
    startedAtMs: Number(fields.startedAtMs),
    openedAtMs: Number(fields.openedAtMs),
    deadlineMs: Number(fields.deadlineMs),
    finishedAtMs: Number(fields.finishedAtMs ?? 0),
    version: Number(fields.version),
    complete: (fields.complete || null) as Match['complete'],
    players,
    answers,
    tallies: JSON.parse(text('tallies')) as Record<string, Tally>,
  };
}

/**
 * Tells what is said of single users from the rest, in one go: most fields of a game are of that kind.
 * `player:<user>` holds `<place> <name>`, `answer:<user>` `<option> <elapsed ms>`.
 */
function sortFields(flat: readonly string[]) {
  const fields: Record<string, string> = {};
  const seats: { place: number; player: Player }[] = [];
  const left = new Set<string>();
  const answers = new Map<string, StoredAnswer>();
  for (let at = 0; at < flat.length; at += 2) {
    const [name, value] = [flat[at] as string, flat[at + 1] as string];
    const colon = name.indexOf(':');
    if (colon < 0) {
      fields[name] = value;
      continue;
    }
    const userId = name.slice(colon + 1);
    const space = value.indexOf(' ');
    const [first, rest] = [Number(value.slice(0, space)), value.slice(space + 1)];
    switch (name.slice(0, colon)) {
      case 'player':
        seats.push({ place: first, player: { userId, name: rest, left: false } });
        break;
      case 'left':
        left.add(userId);
        break;
      case 'answer':
        answers.set(userId, { optionId: first, elapsedMs: Number(rest) });
        break;
      default:
        // The token of an answer, for the script that takes it.
        break;
    }
  }
  const players = seats
    .sort((a, b) => a.place - b.place)
    .map(({ player }) => ({ ...player, left: left.has(player.userId) }));
  return { fields, players, answers };
}
