// A player answers the open question. [contract 5.4]
import { AppError } from '../errors.ts';
import type { MatchDeps } from './deps.ts';
import { tryToEndPhase } from './end-phase.ts';
import { matchMetrics } from './metrics.ts';
import { storeAnswer } from './store.ts';

/**
 * Stores an answer, and ends the round if it was the last awaited one. The answer counts even where ending
 * the round fails.
 * @throws AppError NOT_IN_GAME, ROUND_CLOSED, ALREADY_ANSWERED
 */
export async function submitAnswer(
  deps: MatchDeps,
  lobbyId: string,
  answer: { userId: string; questionId: string; optionId: number; token: string },
): Promise<void> {
  const { outcome, match } = await storeAnswer(deps.redis, lobbyId, answer);
  matchMetrics.answers.inc({ outcome: outcome.toLowerCase() });
  if (outcome === 'stored') return;
  if (outcome === 'complete' || outcome === 'OVERDUE') await tryToEndPhase(deps, lobbyId, match);
  if (outcome === 'complete') return;
  throw new AppError(outcome === 'OVERDUE' ? 'ROUND_CLOSED' : outcome);
}
