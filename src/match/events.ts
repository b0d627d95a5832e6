// The events of a game as JSON, which the scripts append to the lobby's log. The scripts add the times, since
// only the Redis server's clock counts. In a compact lobby, `parts` has what each player alone gets as `you`.
// [contract 5, 19]
import type { SealedQuestion } from '../vocabulary/rules.ts';
import { summarizeGame, summarizeRound } from './compact.ts';
import { type Match, openQuestion, type PhaseEnd, revealed } from './rules.ts';
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

/** @returns `game:answer_result` without `nextAtMs`; only snapshots show its `question` */
export function resultEvent(match: Match, { reason, judged, isLast, next }: PhaseEnd): string {
  const sealed = openQuestion(match);
  const { question } = sealed;
  const result = {
    gameId: match.gameId,
    round: match.round,
    questionId: question.questionId,
    ...revealed(sealed),
    reason,
    isLast,
    ...(next.status === 'intermission' && { question }),
    ...(judged && match.isCompact
      ? summarizeRound(judged, question.options?.length)
      : { answers: judged?.answers, scores: judged?.scores }),
  };
  return JSON.stringify({ type: 'game:answer_result', ...result });
}

/** @returns `game:finished` */
export function finishedEvent(
  result: Pick<GameSummary, 'gameId' | 'scores' | 'winnerIds'>,
  isCompact: boolean,
): string {
  const { gameId, scores, winnerIds } = result;
  const ended = isCompact ? summarizeGame(result) : { scores, winnerIds };
  const listed = ended.scores.map(({ userId, name, score }) => ({ userId, name, score }));
  return JSON.stringify({ type: 'game:finished', gameId, ...ended, scores: listed });
}
