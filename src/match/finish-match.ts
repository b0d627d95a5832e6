// Finishes a game: PostgreSQL stores the result before the end of the game is announced. [contract 5.7]
import { findById } from '../lobby/store.ts';
import type { MatchDeps } from './deps.ts';
import { matchMetrics } from './metrics.ts';
import { findStored, saveResult } from './results.ts';
import { type Match, resultOf } from './rules.ts';
import { readRounds, storeFinish } from './store.ts';

/**
 * Stores and announces the result. Both steps may be repeated; only the first call of each has an effect.
 * @param rounds the judged rounds, if the caller has read them
 * @throws where PostgreSQL is away: the game stays in Redis, and the next caller finishes it
 */
export async function finishMatch(deps: MatchDeps, match: Match, rounds?: readonly string[]): Promise<void> {
  const { lobbyId, gameId, code } = match;
  const result = resultOf(match);
  const judged = rounds ?? (await readRounds(deps.redis, lobbyId));
  const { isNew, version } = await saveResult(deps.postgres, match, result, judged);
  // A game whose end Redis loses in a failover is played on again. The stored result counts.
  const stored = isNew ? result : ((await findStored(deps.db, gameId)) ?? result);
  let reply = version === null ? 'outdated' : await storeFinish(deps, match, stored, version);
  if (reply === 'outdated') reply = await storeFinish(deps, match, stored, await findById(deps.db, lobbyId));
  if (reply !== 'finished') return;
  matchMetrics.gamesFinished.inc();
  deps.logger.info({ gameId, code }, 'game finished');
}
