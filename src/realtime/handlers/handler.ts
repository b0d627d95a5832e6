// The dependencies of the handlers, and a step that several of them share.
import type { CodeMissDeps } from '../../lobby/code-misses.ts';
import type { StartLimit } from '../../match/start-limit.ts';
import type { StartDeps } from '../../match/start-match.ts';
import type { LobbyWrites } from '../lobby-writes.ts';
import type { Rooms } from '../rooms.ts';
import type { Listener } from '../subscription.ts';

export interface HandlerDeps extends StartDeps, CodeMissDeps {
  rooms: Rooms;
  lobbyWrites: LobbyWrites;
  startLimit: StartLimit;
}

/**
 * Takes a socket out of its lobby; the user stays a member. If it was the user's last socket there, the user
 * is announced as not connected. [contract 5.1]
 */
export async function detachSocket(deps: HandlerDeps, listener: Listener): Promise<void> {
  const lobbyId = deps.rooms.leave(listener);
  if (!lobbyId) return;
  const socket = { userId: listener.userId, socketId: listener.id };
  await deps.lobbyWrites.updatePresence(lobbyId, { change: 'remove', announce: 'changed', ...socket });
}
