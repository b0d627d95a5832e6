// A player's answer. [contract 5.4]
import { AppError } from '../errors.ts';
import type { MatchDeps } from './deps.ts';
import { resolveQuietly } from './end-phase.ts';
import { matchMetrics } from './metrics.ts';
import { storeAnswer } from './store.ts';

/**
 * Stores an answer, and resolves the round when nobody is waited for any more, or when it is
 * overdue. The answer stands whether or not that succeeds.
 * @throws AppError NOT_IN_GAME, ROUND_CLOSED, ALREADY_ANSWERED
 */
export async function submitAnswer(
  deps: MatchDeps,
  lobbyId: string,
  answer: { userId: string; questionId: string; optionId: number; token: string },
): Promise<void> {
  const { outcome, match } = await storeAnswer(deps.redis, lobbyId, answer);
  matchMetrics.answers.inc({ outcome: outcome.toLowerCase() });
  switch (outcome) {
    case 'stored':
      return;
    case 'complete':
      await resolveQuietly(deps, lobbyId, match);
      return;
    case 'OVERDUE':
      await resolveQuietly(deps, lobbyId);
      throw new AppError('ROUND_CLOSED');
    case 'ROUND_CLOSED':
      throw new AppError('ROUND_CLOSED');
    case 'NOT_IN_GAME':
      throw new AppError('NOT_IN_GAME');
    case 'ALREADY_ANSWERED':
      throw new AppError('ALREADY_ANSWERED');
  }
}
