// Builds states of games for tests of the rules.
import { randomUUID } from 'node:crypto';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { judgementOf, RoundRecord, recordOfRound } from '../../src/match/round-record.ts';
import type { Match, PlayerTotals, StoredAnswer } from '../../src/match/rules.ts';
import { seal } from '../../src/vocabulary/draw-questions.ts';
import type { SealedQuestion } from '../../src/vocabulary/rules.ts';

export const OPENED_AT_MS = 1_795_000_000_000;

/** The state of one player in the open round. */
export type PlayerState = Match['players'][number] & { answer: StoredAnswer | null; totals: PlayerTotals | null };

/** @param keys the correct option of each round @returns a game whose round is open */
export function matchOf(parts: PlayerState[], keys: number[], round: number, scoring: 'accuracy' | 'speed'): Match {
  const given = parts.flatMap(({ userId, answer }) => (answer ? [[userId, answer] as const] : []));
  const known = parts.flatMap(({ userId, totals }) => (totals ? [[userId, totals] as const] : []));
  const number = 1 + (round % keys.length);
  const questions = keys.map((key, index) => sealedQuestion(index + 1, key));
  return {
    lobbyId: '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a01',
    gameId: '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a02',
    code: '7KQ2ZD',
    settings: { ...LOBBY_EXAMPLE.settings, rounds: keys.length, scoring },
    status: 'open',
    round: number,
    totalRounds: keys.length,
    question: questions[number - 1] ?? null,
    nextQuestion: questions[number] ?? null,
    isEnding: false,
    presenterId: null,
    isCompact: false,
    durationMs: 15_000,
    startedAtMs: OPENED_AT_MS - 60_000,
    openedAtMs: OPENED_AT_MS,
    deadlineMs: OPENED_AT_MS + 15_000,
    finishedAtMs: 0,
    version: 1,
    complete: null,
    players: parts.map(({ userId, name, left }) => ({ userId, name, left })),
    answers: new Map(given),
    totals: Object.fromEntries(known),
  } satisfies Match as Match;
}

export function sealedQuestion(word: number, correctOptionId: number): SealedQuestion {
  const options = [0, 1, 2, 3].map((optionId) => ({ optionId, text: `parola ${optionId}` }));
  return seal({ correctOptionId, question: { questionId: randomUUID(), prompt: `word ${word}`, options } });
}

/** @returns a judged round as PostgreSQL stores it. @param args as for `judgementOf` */
export function recordOf(...args: Parameters<typeof judgementOf>): RoundRecord {
  const [{ question }] = args;
  const record = recordOfRound(JSON.stringify(question), JSON.stringify(judgementOf(...args)));
  return RoundRecord.parse(JSON.parse(record));
}
