// A player leaves a running game for good: the score stays, and rounds no longer wait for the player. [contract 5.2]
import { lobbyKeys, matchKey } from '../lobby/keys.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import { tryToEndPhase } from './end-phase.ts';
import { type MatchServices, storeLeave } from './store.ts';

/**
 * Takes a user out of the lobby's game, if the user plays in it. That counts even where ending the round fails.
 * @param version the version of the roster without the user, so that an older message can't undo a later join
 */
export async function leaveMatch(deps: MatchServices, lobbyId: string, userId: string, version: number): Promise<void> {
  const reply = await storeLeave(deps.redis, lobbyId, userId, version);
  if (reply === 'complete') await tryToEndPhase(deps, lobbyId);
}

const findScript = loadScript(new URL('lua/find-departed-players.lua', import.meta.url));

/**
 * Takes players out of the lobby's game who are no longer members. A process that removes a member announces this first
 * and changes the game second; if it dies in between, every round would wait for that player. [contract 5.2, 11]
 */
export async function removeDepartedPlayers(deps: MatchServices, lobbyId: string): Promise<void> {
  const keys = [lobbyKeys(lobbyId)[0], matchKey(lobbyId)];
  const [version, ...userIds] = (await runScript(deps.redis, findScript, keys, [])) as string[];
  for (const userId of userIds) await leaveMatch(deps, lobbyId, userId, Number(version));
}
