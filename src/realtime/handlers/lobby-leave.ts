// `lobby:leave` ends the user's membership. [contract 5.2, 10]
import { AppError } from '../../errors.ts';
import { leaveMatch } from '../../match/leave-match.ts';
import type { Connection } from '../connection.ts';
import { detachSocket, type HandlerDeps } from './handler.ts';

/** @throws AppError NOT_IN_LOBBY */
export async function leaveLobbyRoom(deps: HandlerDeps, connection: Connection): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  const { userId } = connection;
  const version = await deps.lobbyWrites.leave(lobbyId, userId);
  if (version !== null) await leaveMatch(deps, lobbyId, userId, version);
  await detachSocket(deps, connection);
}
