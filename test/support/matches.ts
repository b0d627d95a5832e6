// Games at one instant, as the rules look at them: for the tests of the rules.
import type { Match, MatchQuestion, StoredAnswer, Tally } from '../../src/match/rules.ts';
import { seal } from '../../src/vocabulary/draw-questions.ts';

export const OPENED_AT_MS = 1_795_000_000_000;

/** One player's part in the open round. */
export interface Part {
  userId: string;
  name: string;
  left: boolean;
  answer: StoredAnswer | null;
  tally: Tally | null;
}

/** A game whose round is open. @param keys the right option of each round */
export function matchOf(
  parts: Part[],
  keys: number[],
  round: number,
  scoring: 'accuracy' | 'speed',
): Match {
  const given = parts.flatMap(({ userId, answer }) => (answer ? [[userId, answer] as const] : []));
  const known = parts.flatMap(({ userId, tally }) => (tally ? [[userId, tally] as const] : []));
  return {
    lobbyId: '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a01',
    gameId: '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a02',
    code: '7KQ2ZD',
    settings: {
      ...{ pos: 'noun', sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'A1' },
      ...{ rounds: keys.length, scoring },
      ...{ roundMs: 15_000, intermissionMs: 0, hostPlays: true, lateJoin: false },
    },
    status: 'open',
    ...atRound(keys, 1 + (round % keys.length)),
    isEnding: false,
    presenterId: null,
    durationMs: 15_000,
    startedAtMs: OPENED_AT_MS - 60_000,
    openedAtMs: OPENED_AT_MS,
    deadlineMs: OPENED_AT_MS + 15_000,
    finishedAtMs: 0,
    version: 1,
    complete: null,
    players: parts.map(({ userId, name, left }) => ({ userId, name, left })),
    answers: new Map(given),
    tallies: Object.fromEntries(known),
  } satisfies Match as Match;
}

/** What a game knows of its questions in a round. */
export function atRound(keys: number[], round: number) {
  const [question, nextQuestion] = [round, round + 1].map((of) => {
    const correctOptionId = keys[of - 1];
    if (correctOptionId === undefined) return null;
    return seal({
      correctOptionId,
      question: {
        questionId: `5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7b0${of - 1}`,
        prompt: `word ${of}`,
        options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: `parola ${optionId}` })),
      },
    });
  }) as [MatchQuestion | null, MatchQuestion | null];
  return { round, totalRounds: keys.length, question, nextQuestion };
}
