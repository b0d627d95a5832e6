// A player leaves a running game for good: the score stays, and rounds no longer wait for the player.
// [contract 5.2]
import type { MatchDeps } from './deps.ts';
import { endPhase } from './end-phase.ts';
import { storeLeave } from './store.ts';

/**
 * Takes a user out of the lobby's game, if the user plays in it.
 * @param version the version of the roster without the user, so that an older message can't undo a later join
 */
export async function leaveMatch(deps: MatchDeps, lobbyId: string, userId: string, version: number): Promise<void> {
  const reply = await storeLeave(deps.redis, lobbyId, userId, version);
  if (reply === 'complete') await endPhase(deps, lobbyId);
}
