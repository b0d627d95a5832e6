// The events of a game as JSON, which the scripts append to the lobby's log. The scripts add the times, since
// only the Redis server's clock counts. [contract 5]
import type { SealedQuestion } from '../vocabulary/rules.ts';
import { type Match, openQuestion, type PhaseEnd } from './rules.ts';
import type { GameSummary } from './schema.ts';

/** @returns `game:question` without `deadlineMs` */
export function questionEvent(
  { gameId, totalRounds, durationMs }: Pick<Match, 'gameId' | 'totalRounds' | 'durationMs'>,
  round: number,
  { question }: SealedQuestion,
): string {
  const game = { gameId, round, totalRounds, question, durationMs };
  return JSON.stringify({ type: 'game:question', ...game });
}

/** @returns `game:answer_result` without `nextAtMs` */
export function resultEvent(match: Match, { reason, judged, isLast }: PhaseEnd): string {
  const { question, correctOptionId, nonce } = openQuestion(match);
  const result = {
    gameId: match.gameId,
    round: match.round,
    questionId: question.questionId,
    correctOptionId,
    nonce,
    reason,
    isLast,
    answers: judged?.answers,
    scores: judged?.scores,
  };
  return JSON.stringify({ type: 'game:answer_result', ...result });
}

/** @returns `game:finished` */
export function finishedEvent({
  gameId,
  scores,
  winnerIds,
}: Pick<GameSummary, 'gameId' | 'scores' | 'winnerIds'>): string {
  const listed = scores.map(({ userId, name, score }) => ({ userId, name, score }));
  return JSON.stringify({ type: 'game:finished', ...{ gameId, scores: listed, winnerIds } });
}
