// The handlers of the client's messages: each checks what the socket may do, calls the use case, and sends the socket
// what only this one gets. [contract 5, 10, 11]

import { randomUUID } from 'node:crypto';
import { AppError, invalid } from '../errors.ts';
import { announceLobby } from '../lobby/announce.ts';
import { type LiveState, readLiveState } from '../lobby/event-log.ts';
import { findLobbyToEnter } from '../lobby/find-lobby.ts';
import { configureLobby, kickFromLobby, lockLobby, openAgain } from '../lobby/host.ts';
import type { LobbyWrites } from '../lobby/lobby-writes.ts';
import { commandMatch } from '../match/command-match.ts';
import { endOverduePhase, endPhase } from '../match/end-phase.ts';
import { leaveMatch } from '../match/leave-match.ts';
import { type StartServices, startMatch } from '../match/start-match.ts';
import { storeEntry } from '../match/store.ts';
import { submitAnswer } from '../match/submit-answer.ts';
import type { Services } from '../services.ts';
import { answerOf } from '../vocabulary/typed/schema.ts';
import type { Connection } from './connection.ts';
import { realtimeMetrics } from './metrics.ts';
import { renderSnapshot } from './render.ts';
import type { Rooms } from './rooms.ts';
import type { MessageOf } from './schema.ts';
import type { Listener } from './subscriptions.ts';

/** What the handlers of messages need. */
export type SocketServices = StartServices &
  Pick<Services, 'codeMisses' | 'startLimit'> & { rooms: Rooms; lobbyWrites: LobbyWrites };

/**
 * Takes a socket out of its lobby; the user stays a member. If it was the user's last socket there, the user
 * is announced as not connected. [contract 5.1]
 */
export async function detachSocket(deps: SocketServices, listener: Listener): Promise<void> {
  const lobbyId = deps.rooms.leave(listener);
  if (!lobbyId) return;
  const socket = { userId: listener.userId, socketId: listener.id };
  await deps.lobbyWrites.updatePresence(lobbyId, { change: 'remove', announce: 'changed', ...socket });
}

/** @throws AppError LOBBY_NOT_FOUND, KICKED, NOT_A_MEMBER, RATE_LIMITED */
export async function joinLobbyRoom(
  deps: SocketServices,
  connection: Connection,
  { code, since: seq, mark }: MessageOf<'lobby:join'>,
): Promise<void> {
  const stored = await findLobbyToEnter(deps, code, connection);
  const { lobbyId, status } = stored.roster;
  if (status === 'running') await endOverduePhase(deps, lobbyId);
  if (deps.rooms.lobbyOf(connection) === lobbyId) {
    await sendSnapshot(deps, connection, lobbyId);
    return deps.rooms.requestProgress(connection);
  }
  if (connection.isGone) return;
  await detachSocket(deps, connection);
  const { players } = stored.roster;
  connection.nameInLobby = players.find(({ userId }) => userId === connection.userId)?.name;
  await deps.lobbyWrites.putRoster(stored);
  const player = { userId: connection.userId, name: connection.userName };
  // A round must wait for whoever has seen its question.
  if (status === 'running') await storeEntry(deps.redis, lobbyId, player, stored.version);
  const since = seq === undefined ? undefined : { seq, mark };
  if (since) realtimeMetrics.resumes.inc();
  const isIn = await deps.rooms.enter(connection, lobbyId, since);
  // Meanwhile the lobby was closed, or the user is no longer a member.
  if (!isIn) return;
  const socket = { userId: connection.userId, socketId: connection.id };
  const announce = status === 'waiting' ? 'soon' : 'changed';
  await deps.lobbyWrites.updatePresence(lobbyId, { change: 'add', announce, ...socket });
  // A start that comes before the presence gets the player by this entry, a later one by the presence.
  await storeEntry(deps.redis, lobbyId, player, stored.version);
  deps.rooms.requestProgress(connection);
}

/** @throws AppError NOT_IN_LOBBY */
export async function leaveLobbyRoom(deps: SocketServices, connection: Connection): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  const { userId } = connection;
  const version = await deps.lobbyWrites.leave(lobbyId, userId);
  if (version !== null) await leaveMatch(deps, lobbyId, userId, version);
  await detachSocket(deps, connection);
}

/** @throws AppError NOT_IN_LOBBY, RATE_LIMITED, or as startMatch */
export async function startLobbyGame(deps: SocketServices, connection: Connection): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  await deps.startLimit.count(connection.userId);
  await startMatch(deps, lobbyId, connection.userId);
}

/** @throws AppError NOT_IN_GAME, ROUND_CLOSED, VALIDATION_FAILED for the answer of another mode, ALREADY_ANSWERED */
export async function answerGame(
  deps: SocketServices,
  connection: Connection,
  { questionId, ...fields }: MessageOf<'game:answer'>,
): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_GAME');
  const { userId } = connection;
  const answer = answerOf(fields);
  await submitAnswer(deps, lobbyId, { userId, questionId, answer, token: randomUUID() });
}

/** @throws AppError NOT_IN_LOBBY */
export async function readyGame(deps: SocketServices, connection: Connection): Promise<void> {
  // During a replay, a snapshot would come before older events.
  await deps.rooms.caughtUp(connection);
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  await endOverduePhase(deps, lobbyId);
  await sendScreen(deps, connection, lobbyId);
  deps.rooms.requestProgress(connection);
}

type HostMessage = MessageOf<
  'lobby:configure' | 'lobby:lock' | 'lobby:kick' | 'lobby:again' | 'game:next' | 'game:end'
>;

/** @throws AppError in the contract's order: 400, NOT_IN_LOBBY, NOT_HOST, a wrong state, other refusals */
export async function handleHostMessage(
  deps: SocketServices,
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

async function kick(deps: SocketServices, lobbyId: string, hostId: string, userId: string): Promise<void> {
  const lobby = await kickFromLobby(deps, lobbyId, hostId, userId);
  if (lobby) await leaveMatch(deps, lobbyId, userId, lobby.version);
}

function kickingOneself(): AppError {
  return invalid([{ path: 'userId', message: 'must be somebody else' }]);
}

/** Sends `lobby:state`, then the open question or the end of the game. A replay goes on after it. */
export async function sendSnapshot(deps: SocketServices, listener: Listener, lobbyId: string): Promise<void> {
  const state = await stateOf(deps, lobbyId);
  realtimeMetrics.snapshots.inc();
  deps.rooms.skipTo(listener, state);
  for (const message of renderSnapshot(state, deps.nowMs())) listener.send(message.textFor(listener));
}

/** Sends the open question or the end of the game; in a waiting lobby, `lobby:state`. */
export async function sendScreen(deps: SocketServices, listener: Listener, lobbyId: string): Promise<void> {
  const screen = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs()).at(-1);
  realtimeMetrics.snapshots.inc();
  if (screen) listener.send(screen.textFor(listener));
}

/** Sends `lobby:state` alone, after what the socket is being replayed. */
export async function sendLobby(deps: SocketServices, connection: Connection, lobbyId: string): Promise<void> {
  await deps.rooms.caughtUp(connection);
  const [lobby] = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs());
  realtimeMetrics.snapshots.inc();
  if (lobby) connection.send(lobby.textFor(connection));
}

/** @returns the state in Redis; where Redis has lost the lobby, it is first restored from PostgreSQL */
async function stateOf(deps: SocketServices, lobbyId: string): Promise<LiveState> {
  const state = await readLiveState(deps.redis, lobbyId);
  if (state.roster) return state;
  await announceLobby(deps, lobbyId);
  return readLiveState(deps.redis, lobbyId);
}
