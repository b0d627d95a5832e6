// Leaving a running game: the score so far stays, nobody waits for the player. [contract 5.2]
import type { MatchDeps } from './deps.ts';
import { resolveRound } from './resolve-round.ts';
import { leave } from './store.ts';

/** Takes the user out of the lobby's game, if there is one and the user is in it. */
export async function leaveMatch(deps: MatchDeps, lobbyId: string, userId: string): Promise<void> {
  if ((await leave(deps.redis, lobbyId, userId)) === 'complete') await resolveRound(deps, lobbyId);
}
