// The live side of a lobby in Redis: the roster that is announced and the numbered log of all that
// was said. [contract 5, 5.9]
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { lobbyKeys, socketsKey } from './keys.ts';
import type { Roster } from './schema.ts';
import type { StoredLobby } from './store.ts';

/** The start of every script that appends an event. */
export const APPEND_EVENT = new URL('lua/append-event.lua', import.meta.url);

const putRosterScript = loadScript(APPEND_EVENT, new URL('lua/put-roster.lua', import.meta.url));
const closeScript = loadScript(APPEND_EVENT, new URL('lua/close-lobby.lua', import.meta.url));

/** How long the log of a lobby that is no more can still be read. [contract 5.9: ten minutes] */
const CLOSED_LOG_TTL_MS = 15 * 60_000;

/** A lobby's live state must outlive the lobby, which the worker deletes when it is idle. */
const TTL_MARGIN_MS = 3_600_000;

/** @returns how long a lobby's keys outlive the last sign of life, ms */
export function lobbyTtlMs(idleTtlSeconds: number): number {
  return idleTtlSeconds * 1000 + TTL_MARGIN_MS;
}

/** What the live side needs. */
export interface LiveDeps {
  redis: RedisClient;
  /** How long a lobby's keys outlive the last sign of life, ms. */
  lobbyTtlMs: number;
  /** Which process writes an event, for whoever reads the log. */
  processName: string;
}

/** An event as the log holds it: what is sent to clients is made from it. */
export interface LogEntry {
  seq: number;
  /** When it happened, by the Redis server's clock. */
  atMs: number;
  type: string;
  [field: string]: unknown;
}

/** What a socket that joins is told: everything up to event `seq`. */
export interface LiveState {
  seq: number;
  roster: Roster | null;
  connected: string[];
  /** The open question, the end of the game or that of the lobby, when there is one. */
  screen: LogEntry | null;
  closed: boolean;
}

/** Makes a lobby's members known; connected sockets get `lobby:state` when this is news. */
export async function putRoster(deps: LiveDeps, { roster, version }: StoredLobby): Promise<void> {
  await runScript(deps.redis, putRosterScript, lobbyKeys(roster.lobbyId), [
    deps.lobbyTtlMs,
    deps.processName,
    version,
    JSON.stringify(roster),
  ]);
}

/**
 * Announces once that a lobby is no more. [contract 5.2, 4]
 * @param leaverId the host who left, and so is not told
 */
export async function announceClosed(
  deps: LiveDeps,
  lobby: { lobbyId: string; code: string },
  reason: 'host_left' | 'expired',
  leaverId?: string,
): Promise<void> {
  const event = { by: deps.processName, type: 'lobby:closed', code: lobby.code, reason, leaverId };
  const keys = [...lobbyKeys(lobby.lobbyId), socketsKey(lobby.lobbyId)];
  await runScript(deps.redis, closeScript, keys, [CLOSED_LOG_TTL_MS, JSON.stringify(event)]);
}

/** @returns the state of the lobby at one instant. */
export async function readLiveState(redis: RedisClient, lobbyId: string): Promise<LiveState> {
  const [lobby] = lobbyKeys(lobbyId);
  const [seq, roster, connected, screen, closed] = await redis.hmget(
    lobby,
    'seq',
    'roster',
    'connected',
    'screen',
    'closed',
  );
  return {
    seq: Number(seq ?? 0),
    roster: roster ? (JSON.parse(roster) as Roster) : null,
    connected: connected ? (JSON.parse(connected) as string[]) : [],
    screen: screen ? (JSON.parse(screen) as LogEntry) : null,
    closed: closed !== null && closed !== undefined,
  };
}

/**
 * Reads what happened after event `since`.
 * @returns the events in order, or null when the log no longer reaches back that far
 */
export async function readLog(
  redis: RedisClient,
  lobbyId: string,
  since: number,
): Promise<LogEntry[] | null> {
  const [lobby, log] = lobbyKeys(lobbyId);
  const replies = await redis
    .multi()
    .hget(lobby, 'seq')
    .xrange(log, `${since + 1}-0`, '+')
    .exec();
  const [seqReply, rangeReply] = replies ?? [];
  if (seqReply?.[0]) throw seqReply[0];
  if (rangeReply?.[0]) throw rangeReply[0];
  const head = Number(seqReply?.[1] ?? 0);
  const rows = (rangeReply?.[1] ?? []) as [string, string[]][];
  const entries = rows.map(([, fields]) => JSON.parse(fields[1] as string) as LogEntry);
  const complete = entries.length === 0 ? since === head : entries[0]?.seq === since + 1;
  return complete ? entries : null;
}

/** @returns all that the log still holds, for whoever looks into a lobby's life. */
export async function readWholeLog(redis: RedisClient, lobbyId: string): Promise<LogEntry[]> {
  const [, log] = lobbyKeys(lobbyId);
  const rows = await redis.xrange(log, '-', '+');
  return rows.map(([, fields]) => JSON.parse(fields[1] as string) as LogEntry);
}

/** When somebody was last connected, or null when Redis does not know. */
export async function lastSeenMs(redis: RedisClient, lobbyId: string): Promise<number | null> {
  const [lobby] = lobbyKeys(lobbyId);
  const seen = await redis.hget(lobby, 'seenMs');
  return seen ? Number(seen) : null;
}
