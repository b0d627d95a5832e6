// Who has left a lobby, as everybody was told, and still plays in its game: the process that told it has
// died before it told the game, which would wait for that player in every round. [contract 5.2, 11]
import { lobbyKeys } from '../lobby/keys.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import type { MatchDeps } from './deps.ts';
import { leaveMatch } from './leave-match.ts';
import { matchKey } from './store.ts';

const findScript = loadScript(new URL('lua/find-strays.lua', import.meta.url));

/** Takes them out of the lobby's game; whoever does this again, or at the same time, changes nothing. */
export async function removeStrays(deps: MatchDeps, lobbyId: string): Promise<void> {
  const { version, userIds } = await findStrays(deps.redis, lobbyId);
  for (const userId of userIds) await leaveMatch(deps, lobbyId, userId, version);
}

/** @returns them, and the version of the lobby of which they are no members */
async function findStrays(
  redis: RedisClient,
  lobbyId: string,
): Promise<{ version: number; userIds: string[] }> {
  const [lobby] = lobbyKeys(lobbyId);
  const reply = await runScript(redis, findScript, [lobby, matchKey(lobbyId)], []);
  const [version, ...userIds] = reply as string[];
  return { version: Number(version ?? 0), userIds };
}
