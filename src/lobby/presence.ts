// Who is connected to a lobby, across all replicas. Each replica refreshes the entries of its own
// sockets; what a crashed replica leaves behind expires. [contract 5.1]
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { APPEND_EVENT, type LiveDeps, runAppending } from './event-log.ts';
import type { Position } from './history.ts';
import { lobbyKeys, socketsKey } from './keys.ts';

const updateScript = loadScript(APPEND_EVENT, new URL('lua/update-presence.lua', import.meta.url));
const connectedScript = loadScript(new URL('lua/connected-sockets.lua', import.meta.url));

/** An entry outlives several missed refreshes, so that a short outage disconnects nobody. */
export const PRESENCE_TTL_MS = 15_000;

/** One socket of one user. */
export interface Presence {
  userId: string;
  socketId: string;
}

/** @returns a socket as the lobby's set of sockets has it */
export function entryOf({ userId, socketId }: Presence): string {
  return `${userId}:${socketId}`;
}

/** With the lobby's last event: whoever has not seen it has missed something. */
export interface PresenceReply extends Position {
  /** Redis' time. */
  nowMs: number;
  /** `unknown`: Redis does not know the lobby's roster (any more). */
  state: 'ok' | 'unknown' | 'closed';
}

/**
 * Notes sockets as present or gone. A change of who is connected is announced to everyone.
 * @param announce `always` and `soon` announce even when nobody's `connected` changes; only `always`
 *   does it at once, whatever else has just been announced
 */
export async function updatePresence(
  deps: LiveDeps,
  lobbyId: string,
  change: 'add' | 'remove',
  sockets: Iterable<Presence>,
  announce: 'always' | 'soon' | 'changed' = 'changed',
): Promise<PresenceReply> {
  const members = Array.from(sockets, entryOf);
  const reply = await runAppending(
    deps.redis,
    updateScript,
    [...lobbyKeys(lobbyId), socketsKey(lobbyId)],
    [deps.lobbyTtlMs, deps.processName, PRESENCE_TTL_MS, announce, change, ...members],
  );
  const [seq, mark, nowMs, state, delayMs] = reply as [
    ...[seq: number, mark: string, nowMs: number],
    ...[state: PresenceReply['state'], delayMs: number],
  ];
  if (delayMs > 0) deps.owedStates.payIn(lobbyId, delayMs);
  return { seq, mark, nowMs, state };
}

/** @returns the users of whom any socket on any replica is in the lobby. */
export async function connectedUsers(
  deps: { redis: RedisClient },
  lobbyId: string,
): Promise<Set<string>> {
  const members = (await runScript(
    deps.redis,
    connectedScript,
    [socketsKey(lobbyId)],
    [],
  )) as string[];
  return new Set(members.map((member) => member.slice(0, member.indexOf(':'))));
}
