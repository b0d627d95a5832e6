// Parses the snapshot of a game that a script has read from Redis.
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { Match, MatchPlayer, PlayerTotals, StoredAnswer } from './rules.ts';

/** The reply of snapshot.lua; a missing question is ''. */
export type SnapshotReply = [fieldsAndValues: string[], question: string, nextQuestion: string];

/** @returns null where there is no game */
export function parseMatch([fieldsAndValues, question, nextQuestion]: SnapshotReply): Match | null {
  const { fields, players, answers } = sortFields(fieldsAndValues);
  if (!fields.gameId) return null;
  const text = (name: string) => fields[name] ?? '';
  const parse = (json: string) => (json ? (JSON.parse(json) as SealedQuestion) : null);
  return {
    lobbyId: text('lobbyId'),
    gameId: text('gameId'),
    code: text('code'),
    settings: JSON.parse(text('settings')),
    status: text('status') as Match['status'],
    round: Number(fields.round),
    totalRounds: Number(fields.totalRounds),
    question: parse(question),
    nextQuestion: parse(nextQuestion),
    isEnding: fields.ending !== undefined,
    presenterId: fields.presenter ?? null,
    isCompact: fields.compact === 'true',
    durationMs: Number(fields.durationMs),
    startedAtMs: Number(fields.startedAtMs),
    openedAtMs: Number(fields.openedAtMs),
    deadlineMs: Number(fields.deadlineMs),
    finishedAtMs: Number(fields.finishedAtMs ?? 0),
    version: Number(fields.version),
    complete: (fields.complete || null) as Match['complete'],
    players,
    answers,
    totals: JSON.parse(text('totals')) as Record<string, PlayerTotals>,
  };
}

/**
 * Separates the fields of single users from those of the game, in one pass, since a large game has mostly the
 * former. `player:<user>` and `answer:<user>` are JSON, `left:<user>` a version of the roster, and
 * `token:<user>` the request of the last answer (store-answer.lua).
 */
function sortFields(fieldsAndValues: readonly string[]) {
  const fields: Record<string, string> = {};
  const seats: { place: number; userId: string; name: string }[] = [];
  const left = new Set<string>();
  const answers = new Map<string, StoredAnswer>();
  for (let at = 0; at < fieldsAndValues.length; at += 2) {
    const [name, value] = [fieldsAndValues[at] as string, fieldsAndValues[at + 1] as string];
    const colon = name.indexOf(':');
    const userId = name.slice(colon + 1);
    if (colon < 0) fields[name] = value;
    else if (name.startsWith('player:')) seats.push({ ...JSON.parse(value), userId });
    else if (name.startsWith('left:')) left.add(userId);
    else if (name.startsWith('answer:')) answers.set(userId, JSON.parse(value) as StoredAnswer);
  }
  const players = seats
    .sort((a, b) => a.place - b.place)
    .map(({ userId, name }): MatchPlayer => ({ userId, name, left: left.has(userId) }));
  return { fields, players, answers };
}
