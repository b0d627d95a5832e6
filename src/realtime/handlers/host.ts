// Handles the messages of a host: lobby:configure, :lock, :kick and :again, game:next and :end. [contract 11]
import { AppError, invalid } from '../../errors.ts';
import { configureLobby, kickFromLobby, lockLobby, openAgain } from '../../lobby/host.ts';
import { commandMatch } from '../../match/command-match.ts';
import { endPhase } from '../../match/end-phase.ts';
import { leaveMatch } from '../../match/leave-match.ts';
import type { Connection } from '../connection.ts';
import type { MessageOf } from '../schema.ts';
import type { HandlerDeps } from './handler.ts';
import { sendLobby } from './snapshot.ts';

type HostMessage = MessageOf<
  'lobby:configure' | 'lobby:lock' | 'lobby:kick' | 'lobby:again' | 'game:next' | 'game:end'
>;

/** @throws AppError in the contract's order: 400, NOT_IN_LOBBY, NOT_HOST, a wrong state, other refusals */
export async function handleHostMessage(
  deps: HandlerDeps,
  connection: Connection,
  message: HostMessage,
): Promise<void> {
  const { userId } = connection;
  if (message.type === 'lobby:kick' && message.userId === userId) throw kickingOneself();
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  switch (message.type) {
    case 'lobby:configure':
      if (await configureLobby(deps, lobbyId, userId, message)) return;
      return sendLobby(deps, connection, lobbyId);
    case 'lobby:lock':
      if (await lockLobby(deps, lobbyId, userId, message.locked)) return;
      return sendLobby(deps, connection, lobbyId);
    case 'lobby:kick':
      return kick(deps, lobbyId, userId, message.userId);
    case 'lobby:again':
      return openAgain(deps, lobbyId, userId, () => endPhase(deps, lobbyId));
    case 'game:next': {
      const { round, phase } = message;
      return commandMatch(deps, lobbyId, userId, { do: 'next', round, phase });
    }
    case 'game:end':
      return commandMatch(deps, lobbyId, userId, { do: 'end' });
  }
}

async function kick(deps: HandlerDeps, lobbyId: string, hostId: string, userId: string): Promise<void> {
  const lobby = await kickFromLobby(deps, lobbyId, hostId, userId);
  if (lobby) await leaveMatch(deps, lobbyId, userId, lobby.version);
}

function kickingOneself(): AppError {
  return invalid([{ path: 'userId', message: 'must be somebody else' }]);
}
