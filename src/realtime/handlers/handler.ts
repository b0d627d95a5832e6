// What all handlers get, and what several of them do.
import type { CodeMissDeps } from '../../lobby/code-misses.ts';
import { updatePresence } from '../../lobby/presence.ts';
import type { StartDeps } from '../../match/start-match.ts';
import type { Listener } from '../room.ts';
import type { Rooms } from '../rooms.ts';

export interface HandlerDeps extends StartDeps, CodeMissDeps {
  rooms: Rooms;
}

/**
 * Takes a socket out of the lobby it is in, without its user leaving that lobby's players. The
 * others hear of it if it was the user's last socket there. [contract 5.1]
 */
export async function stepOut(deps: HandlerDeps, listener: Listener): Promise<void> {
  const lobbyId = deps.rooms.leave(listener);
  if (!lobbyId) return;
  await updatePresence(deps, lobbyId, 'remove', [
    { userId: listener.userId, socketId: listener.id },
  ]);
}
