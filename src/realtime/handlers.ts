// The handlers of the client's messages: each checks what the socket may do, calls the use case, and sends the socket
// what only this one gets. messages.ts names the refusals of each. [contract 5, 10, 11]
import { randomUUID } from 'node:crypto';
import { AppError, invalid } from '../errors.ts';
import { announceLobby } from '../lobby/announce.ts';
import { readLiveState } from '../lobby/event-log.ts';
import { findLobbyToEnter } from '../lobby/find-lobby.ts';
import type { Cursor } from '../lobby/history.ts';
import { configureLobby, kickFromLobby, lockLobby, openAgain } from '../lobby/host.ts';
import type { LobbyWrites } from '../lobby/lobby-writes.ts';
import { AWAY_MS } from '../lobby/presence.ts';
import type { RunningLobbies } from '../lobby/running-lobbies.ts';
import type { Roster } from '../lobby/schema.ts';
import type { StoredLobby } from '../lobby/store.ts';
import { commandMatch } from '../match/command-match.ts';
import { checkAbandonedRound, endOverduePhase, endPhase } from '../match/end-phase.ts';
import { leaveMatch } from '../match/leave-match.ts';
import { type StartServices, startMatch } from '../match/start-match.ts';
import {
  type MatchHead,
  type MatchServices,
  readHeadFor,
  readShown,
  renewProgress,
  type ShownLobby,
  storeEntry,
} from '../match/store.ts';
import { submitAnswer } from '../match/submit-answer.ts';
import type { Services } from '../services.ts';
import { answerOf } from '../vocabulary/schema.ts';
import { realtimeMetrics } from './metrics.ts';
import { renderSnapshot } from './render.ts';
import type { Rooms } from './rooms.ts';
import type { MessageOf } from './schema.ts';
import type { Listener } from './subscriptions.ts';

export type SocketServices = StartServices &
  Pick<Services, 'codeMisses' | 'startLimit'> & {
    rooms: Rooms;
    lobbyWrites: LobbyWrites;
    runningLobbies: RunningLobbies;
  };

/** Who sends a message, and gets the reply: a socket, or a request over HTTP, which is in no room. */
export interface Sender extends Listener {
  readonly address: string;
  /** Whether the peer has disconnected: no reply can reach it. */
  readonly isGone: boolean;
  /** The user's name in the lobby that the socket is in, or was in last. */
  nameInLobby?: string | undefined;
  /** The lobby that a request names; a socket is in the one that it has joined. */
  readonly lobbyId?: string;
}

interface PresenceEnd {
  /** For how long a game that waits for present players alone still waits for the user. */
  awayMs?: number;
  /** `linger`: the user is announced as not connected some seconds later, unless the client has come back. */
  change?: 'remove' | 'linger';
}

/** Takes a socket or stream out of its lobby; the user stays a member. [contract 5.1] */
export async function detachSocket(deps: SocketServices, listener: Listener, end?: PresenceEnd): Promise<void> {
  const lobbyId = deps.rooms.leave(listener);
  if (lobbyId) await removePresence(deps, lobbyId, listener, end);
}

export async function removePresence(
  deps: MatchServices & Pick<SocketServices, 'rooms' | 'lobbyWrites'>,
  lobbyId: string,
  { id: socketId, userId }: Pick<Listener, 'id' | 'userId'>,
  { awayMs = AWAY_MS.closed, change = 'remove' }: PresenceEnd = {},
): Promise<void> {
  await deps.lobbyWrites.updatePresence(lobbyId, { change, announce: 'changed', userId, socketId, awayMs });
  if (!deps.rooms.find(lobbyId)) await checkAbandonedRound(deps, lobbyId);
}

/** @returns the id of the lobby that the sender is in @throws AppError NOT_IN_LOBBY, or the given refusal */
function requireLobby(
  { rooms }: SocketServices,
  sender: Sender,
  refusal: 'NOT_IN_LOBBY' | 'NOT_IN_GAME' = 'NOT_IN_LOBBY',
): string {
  const lobbyId = sender.lobbyId ?? rooms.lobbyOf(sender);
  if (!lobbyId) throw new AppError(refusal);
  return lobbyId;
}

export async function joinRoom(
  deps: SocketServices,
  sender: Sender,
  { code, since: seq, mark }: MessageOf<'lobby:join'>,
): Promise<void> {
  const entrance = await findEntrance(deps, code, sender);
  const { lobbyId, name, status, head } = entrance;
  if (status === 'running') await endOverduePhase(deps, lobbyId, head);
  if (deps.rooms.lobbyOf(sender) === lobbyId) {
    await sendShown(deps, sender, lobbyId, 'all');
    return deps.rooms.requestProgress(sender);
  }
  if (sender.isGone) return;
  await detachSocket(deps, sender);
  sender.nameInLobby = name;
  if (seq !== undefined) realtimeMetrics.resumes.inc();
  const isIn = await enter(deps, sender, entrance, seq === undefined ? undefined : { seq, mark }).catch((error) => {
    // The presence may be written already. Where Redis is away, it expires by itself.
    if (!deps.rooms.lobbyOf(sender)) removePresence(deps, lobbyId, sender).catch(() => {});
    throw error;
  });
  if (!isIn) {
    // Meanwhile the lobby was closed, which the sender has been told, or the user is no longer a member.
    const { closed } = await readLiveState(deps.redis, lobbyId);
    if (closed) return;
    await findLobbyToEnter(deps, code, sender);
    throw new AppError('UNAVAILABLE', 'The lobby keeps changing. Try again.');
  }
  deps.rooms.requestProgress(sender);
}

interface Entrance {
  lobbyId: string;
  status: Roster['status'];
  name: string | undefined;
  /** The state of the running game that the user plays in: nothing else has to be stored for a player who comes back. */
  head?: MatchHead;
  /** Of everybody else. */
  stored?: StoredLobby;
}

/** Asks PostgreSQL, except for a player of a running game that is known here. @throws as `findLobbyToEnter` */
async function findEntrance(deps: SocketServices, code: string, sender: Sender): Promise<Entrance> {
  const { userId } = sender;
  const known = deps.runningLobbies.find(code, userId);
  const head = known && (await readHeadFor(deps.redis, known.lobbyId, userId));
  if (known && head) return { ...known, status: 'running', head };
  const stored = await findLobbyToEnter(deps, code, sender);
  deps.runningLobbies.note(stored);
  const { lobbyId, status, players } = stored.roster;
  const name = players.find((player) => player.userId === userId)?.name;
  const playing = status === 'running' && (await readHeadFor(deps.redis, lobbyId, userId, stored.version));
  return playing ? { lobbyId, status, name, head: playing } : { lobbyId, status, name, stored };
}

/** Enters the room, the list of who is connected, and the running game. @returns whether the sender is in the room */
async function enter(
  deps: SocketServices,
  sender: Sender,
  { lobbyId, status, stored }: Entrance,
  cursor: Cursor | undefined,
): Promise<boolean> {
  const { userId, id: socketId } = sender;
  const announce = status === 'waiting' ? 'soon' : 'changed';
  const connect = () => deps.lobbyWrites.updatePresence(lobbyId, { change: 'add', announce, userId, socketId });
  const play = ({ version }: StoredLobby) =>
    storeEntry(deps.redis, lobbyId, { userId, name: sender.userName }, version);
  if (stored) await deps.lobbyWrites.putRoster(stored);
  if (stored && status === 'running') {
    // A round must wait for whoever has seen its question.
    await connect();
    await play(stored);
    return deps.rooms.enter(sender, lobbyId, cursor);
  }
  const entering = deps.rooms.enter(sender, lobbyId, cursor);
  // A snapshot shows the lobby before its receiver is connected; a replay shares the write.
  if (!cursor && !(await entering)) return false;
  const connecting = connect();
  // One that fails must not leave the other under way.
  await Promise.allSettled([entering, connecting]);
  const [isIn, { state }] = await Promise.all([entering, connecting]);
  // A start that comes before the presence gets the player by the entry, a later one by the presence.
  if (isIn && stored && state === 'running') await play(stored);
  return isIn;
}

export async function leaveRoom(deps: SocketServices, sender: Sender): Promise<void> {
  const lobbyId = requireLobby(deps, sender);
  const version = await deps.lobbyWrites.leave(lobbyId, sender.userId);
  if (version !== null) await leaveMatch(deps, lobbyId, sender.userId, version);
  await detachSocket(deps, sender);
}

export async function startGame(deps: SocketServices, sender: Sender): Promise<void> {
  const lobbyId = requireLobby(deps, sender);
  await deps.startLimit.count(sender.userId);
  await startMatch(deps, lobbyId, sender.userId);
}

export async function answerQuestion(
  deps: SocketServices,
  sender: Sender,
  { questionId, ...fields }: MessageOf<'game:answer'>,
): Promise<void> {
  const lobbyId = requireLobby(deps, sender, 'NOT_IN_GAME');
  const request = { userId: sender.userId, questionId, answer: answerOf(fields), token: randomUUID() };
  await submitAnswer(deps, lobbyId, request);
}

export async function showAgain(deps: SocketServices, sender: Sender): Promise<void> {
  // During a replay, a snapshot would come before older events.
  await deps.rooms.caughtUp(sender);
  const lobbyId = requireLobby(deps, sender);
  await endOverduePhase(deps, lobbyId);
  const { roster } = await sendShown(deps, sender, lobbyId, 'last');
  // A request is in no room; the host's stream may be on any replica.
  if (!sender.lobbyId) deps.rooms.requestProgress(sender);
  else if (roster?.hostId === sender.userId && !roster.settings.hostPlays) await renewProgress(deps.redis, lobbyId);
}

export async function configure(deps: SocketServices, sender: Sender, message: MessageOf<'lobby:configure'>) {
  const lobbyId = requireLobby(deps, sender);
  if (!(await configureLobby(deps, lobbyId, sender.userId, message))) await sendUnchanged(deps, sender, lobbyId);
}

export async function lock(deps: SocketServices, sender: Sender, { locked }: MessageOf<'lobby:lock'>): Promise<void> {
  const lobbyId = requireLobby(deps, sender);
  if (!(await lockLobby(deps, lobbyId, sender.userId, locked))) await sendUnchanged(deps, sender, lobbyId);
}

export async function kick(deps: SocketServices, sender: Sender, { userId }: MessageOf<'lobby:kick'>): Promise<void> {
  if (userId === sender.userId) throw invalid([{ path: 'userId', message: 'must be somebody else' }]);
  const lobbyId = requireLobby(deps, sender);
  const lobby = await kickFromLobby(deps, lobbyId, sender.userId, userId);
  if (lobby) await leaveMatch(deps, lobbyId, userId, lobby.version);
}

export async function openLobbyAgain(deps: SocketServices, sender: Sender): Promise<void> {
  const lobbyId = requireLobby(deps, sender);
  await openAgain(deps, lobbyId, sender.userId, () => endPhase(deps, lobbyId));
}

export async function endEarly(deps: SocketServices, sender: Sender, command: MessageOf<'game:next' | 'game:end'>) {
  await commandMatch(deps, requireLobby(deps, sender), sender.userId, command);
}

/** Sends `lobby:state` alone, after what the socket is being replayed. */
async function sendUnchanged(deps: SocketServices, sender: Sender, lobbyId: string): Promise<void> {
  await deps.rooms.caughtUp(sender);
  await sendShown(deps, sender, lobbyId, 'first');
}

/**
 * Sends messages of a snapshot: `lobby:state`, then the open question or the end of the game, unless the lobby waits. A
 * replay goes on after all of them.
 */
async function sendShown(deps: SocketServices, listener: Listener, lobbyId: string, which: 'all' | 'first' | 'last') {
  const state = await stateFor(deps, listener, lobbyId);
  realtimeMetrics.snapshots.inc();
  if (which === 'all') deps.rooms.skipTo(listener, state);
  const messages = renderSnapshot(state, deps.nowMs());
  const sent = { all: messages, first: messages.slice(0, 1), last: messages.slice(-1) }[which];
  for (const message of sent) listener.send(message.textFor(listener));
  return state;
}

/** @returns the state in Redis; where Redis has lost the lobby, it is first restored from PostgreSQL */
async function stateFor(deps: SocketServices, { userId }: Listener, lobbyId: string): Promise<ShownLobby> {
  const state = await readShown(deps.redis, lobbyId, [userId]);
  if (state.roster) return state;
  await announceLobby(deps, lobbyId);
  return readShown(deps.redis, lobbyId, [userId]);
}
