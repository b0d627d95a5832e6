// A socket or stream enters a lobby: its room, the list of who is connected, and the running game; and leaves the first
// two when it ends, while its user stays a member. [contract 5.1, 5.9, 10]
import { AppError } from '../errors.ts';
import { announceLobby, readLiveState } from '../lobby/event-log.ts';
import { findLobbyOf } from '../lobby/find-lobby.ts';
import type { Cursor } from '../lobby/history.ts';
import type { LobbyWrites } from '../lobby/lobby-writes.ts';
import { AWAY_MS } from '../lobby/presence.ts';
import type { RunningLobbies } from '../lobby/running-lobbies.ts';
import type { StoredLobby } from '../lobby/store.ts';
import { checkAbandonedRound, endOverduePhase } from '../match/end-phase.ts';
import type { StartServices } from '../match/start-match.ts';
import { readHeadFor, readShown, storeEntry } from '../match/store.ts';
import type { Services } from '../services.ts';
import { realtimeMetrics } from './metrics.ts';
import { renderSnapshot } from './render.ts';
import type { Rooms } from './rooms.ts';
import type { MessageOf } from './schema.ts';
import type { Listener } from './subscriptions.ts';

export type SocketServices = StartServices &
  Pick<Services, 'codeMisses'> & {
    config: { rateLimits: Pick<Services['config']['rateLimits'], 'game' | 'windowMs'> };
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

/** Takes a socket or stream out of its lobby; the user stays a member. [contract 5.1] */
export async function detachSocket(
  deps: SocketServices,
  listener: Listener,
  change?: 'remove' | 'linger',
  awayMs?: number,
): Promise<void> {
  const lobbyId = deps.rooms.leave(listener);
  if (lobbyId) await removePresence(deps, lobbyId, listener, change, awayMs);
}

/**
 * @param change `linger`: the user is announced as not connected some seconds later, unless the client has come back
 * @param awayMs for how long a game that waits for present players alone still waits for the user
 */
export async function removePresence(
  deps: SocketServices,
  lobbyId: string,
  { id: socketId, userId }: Pick<Listener, 'id' | 'userId'>,
  change: 'remove' | 'linger' = 'remove',
  awayMs: number = AWAY_MS.closed,
): Promise<void> {
  await deps.lobbyWrites.updatePresence(lobbyId, { change, userId, socketId, awayMs });
  if (!deps.rooms.find(lobbyId)) await checkAbandonedRound(deps, lobbyId);
}

export async function enterLobby(
  deps: SocketServices,
  sender: Sender,
  { code, since: seq, mark }: MessageOf<'lobby:join'>,
): Promise<void> {
  const entrance = await findEntrance(deps, code, sender);
  const { lobbyId, name, status, head } = entrance;
  if (status === 'running') await endOverduePhase(deps, lobbyId, head);
  const room = deps.rooms.roomOf(sender);
  if (room?.lobbyId === lobbyId) {
    await sendShown(deps, sender, lobbyId, 'all');
    return room.requestProgress(sender);
  }
  if (sender.isGone) return;
  await detachSocket(deps, sender);
  sender.nameInLobby = name;
  if (seq !== undefined) realtimeMetrics.resumes.inc();
  const isIn = await enter(deps, sender, entrance, seq === undefined ? undefined : { seq, mark }).catch((error) => {
    // The presence may be written already. Where Redis is away, it expires by itself.
    if (!deps.rooms.roomOf(sender)) removePresence(deps, lobbyId, sender).catch(() => {});
    throw error;
  });
  if (!isIn) {
    // Meanwhile the lobby was closed, which the sender has been told, or the user is no longer a member.
    const { closed } = await readLiveState(deps.redis, lobbyId);
    if (closed) return;
    await findLobbyOf(deps, code, sender, 'enter');
    throw new AppError('UNAVAILABLE', 'The lobby keeps changing. Try again.');
  }
  deps.rooms.roomOf(sender)?.requestProgress(sender);
}

type Entrance = Awaited<ReturnType<typeof findEntrance>>;

/**
 * Asks PostgreSQL, except for a player of a running game that is known here.
 * @returns for a player who comes back to a running game its `head`: nothing has to be stored; otherwise what is `stored`
 * @throws as `findLobbyOf`
 */
async function findEntrance(deps: SocketServices, code: string, sender: Sender) {
  const { userId } = sender;
  const known = deps.runningLobbies.find(code, userId);
  const head = known && (await readHeadFor(deps.redis, known.lobbyId, userId));
  if (known && head) return { ...known, status: 'running' as const, head };
  const stored = await findLobbyOf(deps, code, sender, 'enter');
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
  const connect = () => deps.lobbyWrites.updatePresence(lobbyId, { change: 'add', userId, socketId });
  const play = ({ version }: StoredLobby) => storeEntry(deps.redis, lobbyId, userId, sender.userName, version);
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

/**
 * Sends messages of a snapshot: `lobby:state`, then the open question or the end of the game, unless the lobby waits. A
 * replay goes on after all of them.
 */
export async function sendShown(
  deps: SocketServices,
  listener: Listener,
  lobbyId: string,
  which: 'all' | 'first' | 'last',
) {
  const read = () => readShown(deps.redis, lobbyId, [listener.userId]);
  let state = await read();
  if (!state.roster) {
    // Redis has lost the lobby, which PostgreSQL restores.
    await announceLobby(deps, lobbyId);
    state = await read();
  }
  realtimeMetrics.snapshots.inc();
  if (which === 'all') deps.rooms.roomOf(listener)?.skipTo(listener, state);
  const messages = renderSnapshot(state, deps.nowMs());
  const sent = { all: messages, first: messages.slice(0, 1), last: messages.slice(-1) }[which];
  for (const message of sent) listener.send(message.textFor(listener));
  return state;
}
