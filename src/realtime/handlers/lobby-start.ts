// `lobby:start` starts a game. [contract 5.3]
import { AppError } from '../../errors.ts';
import { startMatch } from '../../match/start-match.ts';
import type { Connection } from '../connection.ts';
import type { HandlerDeps } from './handler.ts';

/** @throws AppError NOT_IN_LOBBY, RATE_LIMITED, or as startMatch */
export async function startLobbyGame(deps: HandlerDeps, connection: Connection): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  await deps.startLimit.count(connection.userId);
  await startMatch(deps, lobbyId, connection.userId);
}
