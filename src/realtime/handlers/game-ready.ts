// `game:ready` sends the socket what the screens show. [contract 5.8]
import { AppError } from '../../errors.ts';
import { endOverduePhase } from '../../match/end-phase.ts';
import type { Connection } from '../connection.ts';
import type { HandlerDeps } from './handler.ts';
import { sendScreen } from './snapshot.ts';

/** @throws AppError NOT_IN_LOBBY */
export async function readyGame(deps: HandlerDeps, connection: Connection): Promise<void> {
  // During a replay, a snapshot would come before older events.
  await deps.rooms.caughtUp(connection);
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  await endOverduePhase(deps, lobbyId);
  await sendScreen(deps, connection, lobbyId);
  deps.rooms.requestProgress(connection);
}
