// Presence is which users are connected to a lobby, over all replicas. Each replica renews the entries of its
// own sockets; those of a crashed replica expire. [contract 5.1]
import { withTimeout } from '../platform/outages/outage.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { Services } from '../services.ts';
import {
  announceLobby,
  announceState,
  type LiveState,
  type LobbyServices,
  type LobbyWriter,
  loadAppendingScript,
  readLiveState,
  runAppending,
} from './event-log.ts';
import { awayKey, lobbyKeys, socketsKey } from './keys.ts';
import type { Roster } from './schema.ts';

const updateScript = loadAppendingScript(new URL('lua/update-presence.lua', import.meta.url));
const connectedScript = loadScript(new URL('lua/connected-sockets.lua', import.meta.url));

/** After how many ms without renewal an entry expires; it is renewed several times in this time. */
export const PRESENCE_TTL_MS = 15_000;

/**
 * For how many ms a game that waits for present players alone still waits for somebody who has disconnected: for longer
 * where the replica has closed the socket, whose client will come back. [contract 25]
 */
export const AWAY_MS = { closed: 5000, restart: 15_000 } as const;

/** For how many ms a user counts as connected after the end of a stream that the client is asked to resume. [contract 24] */
const LINGER_MS = 5000;

export interface Presence {
  userId: string;
  socketId: string;
}

/** The entry of a socket that lingers expires as that of a crashed replica does. */
export type PresenceChange = 'add' | 'linger' | 'remove';

/** @returns the socket's member in the lobby's sorted set of sockets */
export const presenceEntry = ({ userId, socketId }: Presence) => `${userId}:${socketId}`;

/** `unknown`: Redis has no roster of the lobby, or has lost it. */
type PresenceState = Roster['status'] | 'unknown' | 'closed';

/**
 * Adds or removes sockets, or lets them linger. It announces a change of the connected members, and in a waiting lobby
 * each socket that comes.
 * @param awayMs for how long games still wait for the users of removed and lingering sockets
 * @returns the position of the lobby's last event: a replica that has not delivered it has missed something
 */
export async function updatePresence(
  deps: LobbyWriter,
  lobbyId: string,
  change: PresenceChange,
  sockets: Iterable<Presence>,
  awayMs: number = AWAY_MS.closed,
) {
  const entryTtlMs = change === 'linger' ? LINGER_MS : PRESENCE_TTL_MS;
  const update = { ttlMs: deps.lobbyTtlMs, entryTtlMs, change, awayMs };
  const args = [JSON.stringify({ ...update, sockets: Array.from(sockets, presenceEntry) })];
  const keys = [...lobbyKeys(lobbyId), socketsKey(lobbyId), awayKey(lobbyId)];
  const reply = await runAppending(deps, updateScript, keys, args);
  const [seq, mark, nowMs, state, delayMs] = reply as [number, string, number, PresenceState, number];
  if (delayMs > 0) deps.pendingAnnouncements.schedule(lobbyId, delayMs);
  return { seq, mark, nowMs, state };
}

/** @returns the ids of the users who have a socket in the lobby, on any replica */
export async function connectedUsers(deps: Pick<Services, 'redis'>, lobbyId: string): Promise<Set<string>> {
  const members = (await runScript(deps.redis, connectedScript, [socketsKey(lobbyId)], [])) as string[];
  return new Set(members.map((member) => member.slice(0, member.indexOf(':'))));
}

/** How long PostgreSQL may take to restore a lobby, ms. */
const RESTORE_TIMEOUT_MS = 1000;

/**
 * Restores a lobby of which Redis has lost something: its roster is announced again from PostgreSQL, unless that takes
 * too long. The number of its last event exceeds all that were sent, since clients drop older states. [contract 16]
 * @param sentSeq the greatest number that was sent to a client
 * @throws where PostgreSQL is away and Redis has no roster of the lobby
 */
export async function restoreLiveState(deps: LobbyServices, lobbyId: string, sentSeq: number): Promise<LiveState> {
  const announced = withTimeout(announceLobby(deps, lobbyId), RESTORE_TIMEOUT_MS);
  const [{ reason }] = (await Promise.allSettled([announced])) as [{ reason?: unknown }];
  const state = await readLiveState(deps.redis, lobbyId);
  if (reason && !state.roster) throw reason;
  if (state.seq >= sentSeq || !state.roster || state.closed) return state;
  // This computes the connected users anew from the sockets, since Redis may have lost them.
  await updatePresence(deps, lobbyId, 'add', []);
  await announceState(deps, lobbyId, 'always');
  return readLiveState(deps.redis, lobbyId);
}
