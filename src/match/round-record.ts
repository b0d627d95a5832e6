// Judged rounds as PostgreSQL stores them. [contract 5.7]
import { z } from 'zod';
import { type Given, LearnableRound, verdictOfGiven } from '../learning/stored-answers.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import { type GivenAnswer, type Match, revealed } from './rules.ts';
import { type JudgedAnswer, type RoundEndReason, StoredRound } from './schema.ts';

/** A round as clients get it, but with its answers by player number, and with what only the learning reads. */
export const RoundRecord = z.object({ ...StoredRound.shape, ...LearnableRound.shape });
export type RoundRecord = z.output<typeof RoundRecord>;

/** @param texts questions and their judgements in turns @returns RoundRecords; all are JSON */
export const recordsOf = (texts: readonly string[]) =>
  texts.flatMap((text, at) => (at % 2 === 0 ? [recordOfRound(text, texts[at + 1] as string)] : []));

/** The judgement isn't parsed, since that of a thousand players is large. */
export function recordOfRound(question: string, judgement: string): string {
  const sealed = JSON.parse(question) as SealedQuestion;
  const asked = JSON.stringify({ ...sealed.question, ...revealed(sealed) });
  return `${asked.slice(0, -1)},${judgement.slice(1)}`;
}

/** @returns what a RoundRecord has besides its question @param judged the answers of who was there */
export function judgementOf(match: Match, reason: RoundEndReason, judged: readonly JudgedAnswer[], judgedAtMs: number) {
  const byUser = new Map(judged.map((answer) => [answer.userId, answer]));
  return {
    round: match.round,
    reason,
    answers: match.players.map(({ userId }) => {
      const answer = byUser.get(userId);
      if (!answer) return null;
      const given = match.answers.get(userId);
      if (!given) return [];
      const text = 'text' in given ? [given.text] : [];
      return [givenOf(given), answer.points, given.elapsedMs, ...text];
    }),
    departedAnswers: match.players.flatMap(({ userId }, number) => {
      const given = byUser.has(userId) ? undefined : match.answers.get(userId);
      return given ? [[number, givenOf(given)]] : [];
    }),
    judgedAt: new Date(judgedAtMs).toISOString(),
  } satisfies Partial<RoundRecord>;
}

const givenOf = (answer: GivenAnswer): Given => ('verdict' in answer ? answer.verdict : answer.optionId);

/** A player’s number in a game is the place in the order of entering, from 0; the column `seat` has it. */
export function userIdsByNumber(scores: readonly { seat: number; userId: string }[]): string[] {
  const userIds: string[] = [];
  for (const { seat: number, userId } of scores) userIds[number] = userId;
  return userIds;
}

/** @param userIds by number; answers of others are left out @param textsOf whose typed answers are shown; null: all */
export function roundOfRecord(
  { answers, departedAnswers, judgedAt, ...round }: RoundRecord,
  userIds: readonly string[],
  textsOf: string | null = null,
): StoredRound {
  const isTyped = round.correctText !== undefined;
  const shown = answers.flatMap((answer, number) => {
    const userId = userIds[number];
    if (!answer || userId === undefined) return [];
    const [given = null, points = 0, elapsedMs = null, text] = answer;
    const verdict = verdictOfGiven(round, given);
    return [
      {
        userId,
        ...(isTyped ? { verdict } : { selectedOptionId: given as number | null }),
        isCorrect: (verdict ?? 'wrong') !== 'wrong',
        points,
        ...(text !== undefined && userId === (textsOf ?? userId) && { text }),
        elapsedMs,
      },
    ];
  });
  return { ...round, answers: shown };
}
