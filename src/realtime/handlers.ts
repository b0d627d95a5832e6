// The handlers of the client's messages: each checks what the socket may do, calls the use case, and sends the socket
// what only this one gets. messages.ts names the refusals of each. [contract 5, 10, 11]

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
import { answerOf } from '../vocabulary/schema.ts';
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

/** @returns the id of the lobby that the socket is in @throws AppError NOT_IN_LOBBY */
function requireLobby({ rooms }: SocketServices, connection: Connection): string {
  const lobbyId = rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_LOBBY');
  return lobbyId;
}

export async function joinRoom(
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

export async function leaveRoom(deps: SocketServices, connection: Connection): Promise<void> {
  const lobbyId = requireLobby(deps, connection);
  const { userId } = connection;
  const version = await deps.lobbyWrites.leave(lobbyId, userId);
  if (version !== null) await leaveMatch(deps, lobbyId, userId, version);
  await detachSocket(deps, connection);
}

export async function startGame(deps: SocketServices, connection: Connection): Promise<void> {
  const lobbyId = requireLobby(deps, connection);
  await deps.startLimit.count(connection.userId);
  await startMatch(deps, lobbyId, connection.userId);
}

export async function answerQuestion(
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

export async function showAgain(deps: SocketServices, connection: Connection): Promise<void> {
  // During a replay, a snapshot would come before older events.
  await deps.rooms.caughtUp(connection);
  const lobbyId = requireLobby(deps, connection);
  await endOverduePhase(deps, lobbyId);
  await sendShown(deps, connection, lobbyId);
  deps.rooms.requestProgress(connection);
}

export async function configure(
  deps: SocketServices,
  connection: Connection,
  message: MessageOf<'lobby:configure'>,
): Promise<void> {
  const lobbyId = requireLobby(deps, connection);
  const isChanged = await configureLobby(deps, lobbyId, connection.userId, message);
  if (!isChanged) await sendLobby(deps, connection, lobbyId);
}

export async function lock(
  deps: SocketServices,
  connection: Connection,
  { locked }: MessageOf<'lobby:lock'>,
): Promise<void> {
  const lobbyId = requireLobby(deps, connection);
  const isChanged = await lockLobby(deps, lobbyId, connection.userId, locked);
  if (!isChanged) await sendLobby(deps, connection, lobbyId);
}

export async function kick(
  deps: SocketServices,
  connection: Connection,
  { userId }: MessageOf<'lobby:kick'>,
): Promise<void> {
  if (userId === connection.userId) throw invalid([{ path: 'userId', message: 'must be somebody else' }]);
  const lobbyId = requireLobby(deps, connection);
  const lobby = await kickFromLobby(deps, lobbyId, connection.userId, userId);
  if (lobby) await leaveMatch(deps, lobbyId, userId, lobby.version);
}

export async function openLobbyAgain(deps: SocketServices, connection: Connection): Promise<void> {
  const lobbyId = requireLobby(deps, connection);
  await openAgain(deps, lobbyId, connection.userId, () => endPhase(deps, lobbyId));
}

export async function endPhaseEarly(
  deps: SocketServices,
  connection: Connection,
  { round, phase }: MessageOf<'game:next'>,
): Promise<void> {
  await commandMatch(deps, requireLobby(deps, connection), connection.userId, { do: 'next', round, phase });
}

export async function endGameEarly(deps: SocketServices, connection: Connection): Promise<void> {
  await commandMatch(deps, requireLobby(deps, connection), connection.userId, { do: 'end' });
}

/** Sends `lobby:state`, then the open question or the end of the game. A replay goes on after it. */
async function sendSnapshot(deps: SocketServices, listener: Listener, lobbyId: string): Promise<void> {
  const state = await stateOf(deps, lobbyId);
  realtimeMetrics.snapshots.inc();
  deps.rooms.skipTo(listener, state);
  for (const message of renderSnapshot(state, deps.nowMs())) listener.send(message.textFor(listener));
}

/** Sends the open question or the end of the game; in a waiting lobby, `lobby:state`. */
async function sendShown(deps: SocketServices, listener: Listener, lobbyId: string): Promise<void> {
  const shown = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs()).at(-1);
  realtimeMetrics.snapshots.inc();
  if (shown) listener.send(shown.textFor(listener));
}

/** Sends `lobby:state` alone, after what the socket is being replayed. */
async function sendLobby(deps: SocketServices, connection: Connection, lobbyId: string): Promise<void> {
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
