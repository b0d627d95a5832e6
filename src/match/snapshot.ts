// From the fields that the scripts keep of a game to the snapshot that the rules look at.
import { settingsOf } from '../lobby/schema.ts';
import type { Match, MatchQuestion, Player, StoredAnswer, Tally } from './rules.ts';

/**
 * @param fields all of a game's
 * @param question the open round's, JSON, and `nextQuestion` the one after it
 */
export function parseMatch(
  fields: Record<string, string>,
  question: string | null,
  nextQuestion: string | null,
): Match {
  const text = (name: string) => fields[name] ?? '';
  const round = Number(fields.round);
  // The release before intermissions has kept all questions beside the rest.
  const questions = fields.questions && (JSON.parse(fields.questions) as MatchQuestion[]);
  const parse = (json: string | null) => json && (JSON.parse(json) as MatchQuestion);
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
    players: playersOf(fields),
    answers: answersOf(fields),
    tallies: JSON.parse(text('tallies')) as Record<string, Tally>,
  };
}

/** The fields `player:<user>` hold `<place> <name>`. */
function playersOf(fields: Record<string, string>): Player[] {
  const left = new Set(Object.keys(fields).flatMap((field) => field.split('left:')[1] ?? []));
  return Object.entries(fields)
    .filter(([field]) => field.startsWith('player:'))
    .map(([field, value]) => {
      const userId = field.slice('player:'.length);
      const space = value.indexOf(' ');
      const player = {
        userId,
        name: value.slice(space + 1),
        left: left.has(userId),
      };
      return { place: Number(value.slice(0, space)), player };
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ player }) => player);
}

/** The fields `answer:<user>` hold `<option> <elapsed ms>`. */
function answersOf(fields: Record<string, string>): Map<string, StoredAnswer> {
  const answers = new Map<string, StoredAnswer>();
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('answer:')) continue;
    const [optionId, elapsedMs] = value.split(' ').map(Number);
    answers.set(field.slice('answer:'.length), {
      optionId: optionId as number,
      elapsedMs: elapsedMs as number,
    });
  }
  return answers;
}
