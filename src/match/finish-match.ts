// Finishes a game: PostgreSQL stores the result before the end of the game is announced. [contract 5.7]
import type { MatchDeps } from './deps.ts';
import { matchMetrics } from './metrics.ts';
import { findStored, saveResult } from './results.ts';
import { type Match, resultOf } from './rules.ts';
import { readRounds, storeFinish } from './store.ts';

/**
 * Stores and announces the result. Both steps may be repeated; only the first call of each has an effect.
 * @throws where PostgreSQL is away: the game stays in Redis, and the next caller finishes it
 */
export async function finishMatch(deps: MatchDeps, match: Match): Promise<void> {
  const result = resultOf(match);
  const rounds = await readRounds(deps.redis, match.lobbyId);
  const { isNew, lobby } = await saveResult(deps.db, match, result, rounds);
  // A game whose end Redis loses in a failover is played on again. The stored result counts.
  const announced = isNew ? result : ((await findStored(deps.db, match.gameId)) ?? result);
  await storeFinish(deps, match, announced, lobby);
  if (!isNew) return;
  matchMetrics.gamesFinished.inc();
  deps.logger.info({ gameId: match.gameId, code: match.code }, 'game finished');
}
