// A player answers the open question. [contract 5.4]
import { AppError } from '../errors.ts';
import { verdictOf } from '../judging/verdict.ts';
import { type Answer, wrongMode } from '../vocabulary/typed/schema.ts';
import type { MatchDeps } from './deps.ts';
import { tryToEndPhase } from './end-phase.ts';
import { matchMetrics } from './metrics.ts';
import type { GivenAnswer } from './rules.ts';
import { readOpenQuestion, storeAnswer } from './store.ts';

/**
 * Compares a typed answer, stores the answer, and ends the round if it was the last awaited one. The answer counts even where ending
 * the round fails.
 * @throws AppError NOT_IN_GAME, ROUND_CLOSED, VALIDATION_FAILED for the answer of another mode, ALREADY_ANSWERED
 */
export async function submitAnswer(
  deps: MatchDeps,
  lobbyId: string,
  { answer, ...request }: { userId: string; questionId: string; answer: Answer; token: string },
): Promise<void> {
  const given =
    'text' in answer ? await compare(deps, lobbyId, request.questionId, answer) : answer;
  const { outcome, match } = await storeAnswer(deps.redis, lobbyId, { ...request, given });
  matchMetrics.answers.inc({ outcome: outcome.toLowerCase() });
  if (outcome === 'stored') return;
  if (outcome === 'complete' || outcome === 'OVERDUE') await tryToEndPhase(deps, lobbyId, match);
  if (outcome === 'complete') return;
  if (outcome === 'WRONG_KIND') throw wrongMode(answer);
  throw new AppError(outcome === 'OVERDUE' ? 'ROUND_CLOSED' : outcome);
}

/** Compares a text here, and not at the end of the round, where a room of a thousand would be compared at once. */
async function compare(
  { redis }: Pick<MatchDeps, 'redis'>,
  lobbyId: string,
  questionId: string,
  { text }: { text: string },
): Promise<GivenAnswer> {
  const question = await readOpenQuestion(redis, lobbyId, questionId);
  // The script refuses an answer to a question that isn't open, or isn't typed, whatever the verdict.
  const verdict = question && 'key' in question ? verdictOf(text, question.key) : 'wrong';
  return { text, verdict };
}
