// The live side of a lobby in Redis: the roster that is announced and the numbered log of all that
// was said. [contract 5, 5.9, 16]
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript, type Script } from '../platform/scripts.ts';
import {
  follows,
  isAt,
  type LogEntry,
  type Position,
  parseEntry,
  positionOf,
  type Since,
} from './history.ts';
import { lobbyKeys, socketsKey } from './keys.ts';
import type { OwedStates } from './owed-states.ts';
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

/** What the live side needs. */
export interface LiveDeps {
  redis: RedisClient;
  /** How long a lobby's keys outlive the last sign of life, ms. */
  lobbyTtlMs: number;
  /** Which process writes an event, for whoever reads the log. */
  processName: string;
  /** Who is there, to be told in a moment. */
  owedStates: Pick<OwedStates, 'payIn'>;
}

/**
 * What a process that writes events says of itself, and how long what it writes stays.
 * @param idleTtlSeconds after which silence a lobby is deleted
 */
export function eventWriter(idleTtlSeconds: number): Pick<LiveDeps, 'lobbyTtlMs' | 'processName'> {
  return {
    processName: `${hostname()}/${process.pid}`,
    lobbyTtlMs: idleTtlSeconds * 1000 + TTL_MARGIN_MS,
  };
}

/** What a socket that joins is told: everything up to this position. */
export interface LiveState extends Position {
  roster: Roster | null;
  connected: string[];
  /** The open question, the end of the game or that of the lobby, when there is one. */
  screen: LogEntry | null;
  closed: boolean;
}

/** @returns an event as append_event takes it: without its opening brace, since its number comes before it */
export function eventBody({ processName }: LiveDeps, event: { type: string }): string {
  return `"by":${JSON.stringify(processName)},${JSON.stringify(event).slice(1)}`;
}

/** Runs a script that appends events, with what makes their marks. [contract 16] */
export function runAppending(
  redis: RedisClient,
  script: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  return runScript(redis, script, keys, [...args, randomUUID()]);
}

/**
 * Makes a lobby's members known; connected sockets get `lobby:state` when this is news.
 * @param mode `soon` may tell it together with other changes of who is there
 */
export async function putRoster(
  deps: LiveDeps,
  { roster, version }: StoredLobby,
  mode: 'changed' | 'soon' | 'always' = 'changed',
): Promise<void> {
  const delayMs = await runAppending(deps.redis, putRosterScript, lobbyKeys(roster.lobbyId), [
    deps.lobbyTtlMs,
    deps.processName,
    version,
    JSON.stringify(roster),
    mode,
  ]);
  if (Number(delayMs) > 0) deps.owedStates.payIn(roster.lobbyId, Number(delayMs));
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
  const event = { type: 'lobby:closed', code: lobby.code, reason, leaverId };
  const keys = [...lobbyKeys(lobby.lobbyId), socketsKey(lobby.lobbyId)];
  await runAppending(deps.redis, closeScript, keys, [CLOSED_LOG_TTL_MS, eventBody(deps, event)]);
}

/** @returns the state of the lobby at one instant. */
export async function readLiveState(redis: RedisClient, lobbyId: string): Promise<LiveState> {
  const [lobby] = lobbyKeys(lobbyId);
  const [seq, mark, roster, connected, screen, closed] = await redis.hmget(
    lobby,
    'seq',
    'mark',
    'roster',
    'connected',
    'screen',
    'closed',
  );
  return {
    ...positionOf(seq, mark),
    roster: roster ? (JSON.parse(roster) as Roster) : null,
    connected: connected ? (JSON.parse(connected) as string[]) : [],
    screen: screen ? parseEntry(screen) : null,
    closed: closed !== null && closed !== undefined,
  };
}

/** What happened after a position. */
export interface LogTail {
  /** In order, without a hole. */
  entries: LogEntry[];
  /** The lobby's last event. */
  position: Position;
}

/**
 * Reads what happened after a position.
 * @returns null when the log no longer reaches back that far, or holds another history
 */
export async function readLog(
  redis: RedisClient,
  lobbyId: string,
  since: Since,
): Promise<LogTail | null> {
  const [lobby, log] = lobbyKeys(lobbyId);
  const replies = (await redis
    .multi()
    .hmget(lobby, 'seq', 'mark')
    .xrange(log, `${since.seq + 1}-0`, '+')
    .exec()) as [Error | null, unknown][];
  for (const [error] of replies) if (error) throw error;
  const [head, rows] = replies.map(([, reply]) => reply) as [(string | null)[], Row[]];
  const position = positionOf(head[0], head[1]);
  const entries = entriesOf(rows);
  const isWhole = entries[0] ? follows(entries[0], since) : isAt(position, since);
  return isWhole ? { entries, position } : null;
}

type Row = [id: string, fields: string[]];

function entriesOf(rows: Row[]): LogEntry[] {
  return rows.map(([, fields]) => parseEntry(fields[1] as string));
}

/** @returns all that the log still holds, for whoever looks into a lobby's life. */
export async function readWholeLog(redis: RedisClient, lobbyId: string): Promise<LogEntry[]> {
  const [, log] = lobbyKeys(lobbyId);
  return entriesOf(await redis.xrange(log, '-', '+'));
}

/** When somebody was last connected, or null when Redis does not know. */
export async function lastSeenMs(redis: RedisClient, lobbyId: string): Promise<number | null> {
  const [lobby] = lobbyKeys(lobbyId);
  const seen = await redis.hget(lobby, 'seenMs');
  return seen ? Number(seen) : null;
}
