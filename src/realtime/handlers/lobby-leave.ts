// `lobby:leave` ends the user's membership. [contract 5.2, 10]
import { AppError } from '../../errors.ts';
import { leaveLobby } from '../../lobby/leave-lobby.ts';
import { findById } from '../../lobby/store.ts';
import { leaveMatch } from '../../match/leave-match.ts';
import type { Connection } from '../connection.ts';
import { detachSocket, type HandlerDeps } from './handler.ts';

/** @throws AppError NOT_IN_LOBBY */
export async function leaveLobbyRoom(deps: HandlerDeps, connection: Connection): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  const stored = await findById(deps.db, lobbyId);
  if (stored) await leaveLobby(deps, stored.roster, connection.userId);
  const without = stored && (await findById(deps.db, lobbyId));
  if (without) await leaveMatch(deps, lobbyId, connection.userId, without.version);
  await detachSocket(deps, connection);
}
