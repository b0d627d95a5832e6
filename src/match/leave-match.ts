// Leaving a running game: the score so far stays, nobody waits for the player. [contract 5.2]
import type { MatchDeps } from './deps.ts';
import { endPhase } from './end-phase.ts';
import { leave } from './store.ts';

/**
 * Takes the user out of the lobby's game, if there is one and the user is in it.
 * @param version that of the lobby of which the user was no longer a member
 */
export async function leaveMatch(
  deps: MatchDeps,
  lobbyId: string,
  userId: string,
  version: number,
): Promise<void> {
  const reply = await leave(deps.redis, lobbyId, userId, version);
  if (reply === 'complete') await endPhase(deps, lobbyId);
}
