// Removes players from a game who have left its lobby. A process that removes a member from the lobby
// announces this first and changes the game second; if it dies in between, the game would wait for that
// player in every round. [contract 5.2, 11]
import { lobbyKeys } from '../lobby/keys.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { MatchDeps } from './deps.ts';
import { matchKey } from './keys.ts';
import { leaveMatch } from './leave-match.ts';

const findScript = loadScript(new URL('lua/find-departed-players.lua', import.meta.url));

/** Takes players out of the lobby's game who are no longer members. The call is idempotent. */
export async function removeDepartedPlayers(deps: MatchDeps, lobbyId: string): Promise<void> {
  const keys = [lobbyKeys(lobbyId)[0], matchKey(lobbyId)];
  const [version, ...userIds] = (await runScript(deps.redis, findScript, keys, [])) as string[];
  for (const userId of userIds) await leaveMatch(deps, lobbyId, userId, Number(version));
}
