// The end of a game: first the result is stored, then it is announced. [contract 5.7]
import type { MatchDeps } from './deps.ts';
import { matchMetrics } from './metrics.ts';
import { findStored, saveResult } from './results.ts';
import { type Match, resultOf } from './rules.ts';
import { finish, readRounds } from './store.ts';

/**
 * Both steps can be done any number of times.
 * @throws when PostgreSQL is away: the game waits in Redis and is finished by the next caller
 */
export async function finishMatch(deps: MatchDeps, match: Match): Promise<void> {
  const result = resultOf(match);
  const rounds = await readRounds(deps.redis, match.lobbyId);
  const { isNew, lobby } = await saveResult(deps.db, match, result, rounds);
  // Where Redis has lost the end of a game, it may be played to another one: the first stands.
  const told = isNew ? result : ((await findStored(deps.db, match.gameId)) ?? result);
  await finish(deps, match.lobbyId, told, lobby);
  if (isNew) {
    matchMetrics.gamesFinished.inc();
    deps.logger.info({ gameId: match.gameId, code: match.code }, 'game finished');
  }
}
