// A lobby in Redis: its roster, who is connected, the event that a snapshot shows, and the numbered log of its events.
// [contract 5, 5.9, 16]
import { randomUUID } from 'node:crypto';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { PROCESS_NAME } from '../platform/redis/processes.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript, type Script } from '../platform/redis/scripts.ts';
import { type Cursor, follows, isAt, type LogEntry, positionOf } from './history.ts';
import { lobbyKeys, socketsKey } from './keys.ts';
import { createLogBudget, type ToldLog, TRIM_LOG } from './log-budget.ts';
import { isCompact } from './rules.ts';
import type { Roster } from './schema.ts';
import { findById, type StoredLobby } from './store.ts';

const APPEND_EVENT = new URL('lua/append-event.lua', import.meta.url);

/** Loads a script for `runAppending`, which tells its reply apart from what the log has grown to. */
export function loadAppendingScript(script: URL, ...functions: URL[]): Script {
  const run = ['local function run()', script, 'end'];
  const result = ['local reply = run()', 'return { write_lobby(), reply }'];
  return loadScript(TRIM_LOG, APPEND_EVENT, ...functions, ...run, ...result);
}

/** A lobby's keys in Redis must outlive the lobby, which the worker deletes when it is idle. */
const TTL_MARGIN_MS = 3_600_000;

/** What a change of a lobby in Redis needs. */
export interface LobbyWriter {
  redis: RedisClient;
  /** Logs of lobbies name the process by it. A restarted container may get the same name again. */
  processName: string;
  tellLog: ReturnType<typeof createLogBudget>;
  /** How long the keys of a lobby live after its last activity, ms. */
  lobbyTtlMs: number;
  pendingAnnouncements: Pick<ReturnType<typeof createPendingAnnouncements>, 'schedule'>;
}

type EventWriter = Omit<LobbyWriter, 'pendingAnnouncements'>;

/** What a change of a lobby needs. */
export type LobbyServices = LobbyWriter & { postgres: Postgres };

/** @param idleTtlSeconds after how long the worker deletes a lobby without a connected user */
export function createLobbyWriter(redis: RedisClient, idleTtlSeconds: number) {
  const lobbyTtlMs = idleTtlSeconds * 1000 + TTL_MARGIN_MS;
  const writer = { redis, processName: PROCESS_NAME, tellLog: createLogBudget(redis), lobbyTtlMs };
  return { ...writer, pendingAnnouncements: createPendingAnnouncements(writer) };
}

/** Runs a script that appends events; its last argument identifies the process and the call. */
export async function runAppending(
  { redis, processName, tellLog }: Omit<EventWriter, 'lobbyTtlMs'>,
  script: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  const call = JSON.stringify({ by: processName, callId: randomUUID() });
  const [log, reply] = (await runScript(redis, script, keys, [...args, call])) as [ToldLog, unknown];
  if (log.length > 0) tellLog(keys[0] as string, log);
  return reply;
}

/** @param text a roster without its status and its game, which the scripts compare, and change more often */
function parseRoster(text: string, status: string, gameId: string): Roster {
  return { ...JSON.parse(text), status, gameId: gameId || null };
}

/** @returns the arguments of a script that stores a roster: version and lobby_json of store_newer_roster */
export function rosterArguments({ roster, version }: StoredLobby): [version: number, lobby: string] {
  const { status, gameId, ...rest } = roster;
  const { capacity, hostId, players } = rest;
  const named = players.filter(({ isHost, plays }) => isHost || !plays);
  const lobby = {
    capacity,
    compact: isCompact(roster),
    hostId,
    playerCount: players.length,
    status,
    gameId: gameId ?? '',
    roster: JSON.stringify(rest),
    summary: JSON.stringify({ ...rest, players: named }),
  };
  return [version, JSON.stringify(lobby)];
}

/**
 * @param text an event as it was published, or is in the log or on the screen: a JSON object of texts, of which `event`
 *   is JSON from TypeScript, and the scripts add the other fields [contract 5.9]
 */
export function parseEntry(text: string): LogEntry {
  const fields = JSON.parse(text) as Record<string, string>;
  const { seq, mark = '', previous = '', atMs, by, event = '{}', ...added } = fields;
  const entry = { ...JSON.parse(event), seq: Number(seq), mark, previous, atMs: Number(atMs), by };
  const { roster, summary, status = '', gameId = '', connected = '[]', ...numbers } = added;
  const lobby = roster ?? summary;
  if (lobby !== undefined) entry.lobby = parseRoster(lobby, status, gameId);
  if (roster !== undefined) entry.connected = JSON.parse(connected);
  for (const [name, number] of Object.entries(numbers)) entry[name] = Number(number);
  return entry;
}

const putRosterScript = loadAppendingScript(new URL('lua/put-roster.lua', import.meta.url));
const readLogScript = loadScript(new URL('lua/read-log.lua', import.meta.url));
const closeScript = loadAppendingScript(new URL('lua/close-lobby.lua', import.meta.url));

/** How long Redis stores that a lobby was closed, ms: longer than its log. [contract 5.9] */
const CLOSED_TTL_MS = 15 * 60_000;

/**
 * Stores a lobby's roster unless a newer one is known, and announces it if it has changed: `soon` together with others.
 * @returns the ids of the connected users
 */
export async function putRoster(deps: LobbyWriter, stored: StoredLobby, mode: 'changed' | 'soon' = 'changed') {
  const { lobbyId } = stored.roster;
  const args = [deps.lobbyTtlMs, ...rosterArguments(stored), mode];
  const reply = await runAppending(deps, putRosterScript, lobbyKeys(lobbyId), args);
  const [delayMs, connected] = reply as [number, string];
  if (delayMs > 0) deps.pendingAnnouncements.schedule(lobbyId, delayMs);
  return JSON.parse(connected) as string[];
}

/** Announces once that a lobby is closed. @param leaverId the host who has left and gets no message [contract 5.2, 4] */
export async function announceClosed(
  deps: LobbyWriter,
  { lobbyId, code }: Pick<Roster, 'lobbyId' | 'code'>,
  reason: 'host_left' | 'expired',
  leaverId?: string,
): Promise<void> {
  const event = { type: 'lobby:closed', code, reason, leaverId };
  const keys = [...lobbyKeys(lobbyId), socketsKey(lobbyId)];
  await runAppending(deps, closeScript, keys, [CLOSED_TTL_MS, JSON.stringify(event)]);
}

/** The fields of a lobby's hash that have its live state. */
export const LIVE_FIELDS = ['seq', 'mark', 'roster', 'status', 'gameId', 'connected', 'screen', 'closed'] as const;

/** A lobby as Redis has it at one instant, and the position of its last event. */
export type LiveState = ReturnType<typeof liveStateOf>;

export async function readLiveState(redis: RedisClient, lobbyId: string): Promise<LiveState> {
  return liveStateOf(await redis.hmget(lobbyKeys(lobbyId)[0], ...LIVE_FIELDS));
}

/** @param values of the `LIVE_FIELDS` */
export function liveStateOf(values: (string | null)[]) {
  const [seq, mark, roster, status, gameId, connected, snapshot, closed] = values;
  return {
    ...positionOf(seq, mark),
    /** Null where Redis doesn't know the lobby. */
    roster: roster ? parseRoster(roster, status ?? '', gameId ?? '') : null,
    connected: connected ? (JSON.parse(connected) as string[]) : [],
    /** What is shown after `lobby:state`: the open question, the last result, or the end of the game or the lobby. */
    snapshot: snapshot ? parseEntry(snapshot) : null,
    closed: closed !== null && closed !== undefined,
  };
}

/** @returns a lobby's roster with its version; null where Redis doesn't know the lobby */
export async function readRoster(redis: RedisClient, lobbyId: string): Promise<StoredLobby | null> {
  const [lobby] = lobbyKeys(lobbyId);
  const [roster, status, gameId, version] = await redis.hmget(lobby, 'roster', 'status', 'gameId', 'version');
  if (!roster) return null;
  return { roster: parseRoster(roster, status ?? '', gameId ?? ''), version: Number(version) };
}

export type LogPart = NonNullable<Awaited<ReturnType<typeof readLog>>>;

/**
 * @param maxBytes how much is read at once; a first entry that is larger comes alone
 * @returns the events after a position; null where the log no longer reaches back that far, or has another history
 */
export async function readLog(redis: RedisClient, lobbyId: string, cursor: Cursor, maxBytes: number) {
  const [lobby, log] = lobbyKeys(lobbyId);
  const reply = await runScript(redis, readLogScript, [lobby, log], [cursor.seq + 1, maxBytes]);
  const [seq, mark, snapshotSeq, texts] = reply as [string, string, string, string[]];
  /** The position of the lobby's last event, which may come long after these. */
  const head = positionOf(seq, mark);
  const entries = texts.map(parseEntry);
  const isWhole = entries[0] ? follows(entries[0], cursor) : isAt(head, cursor);
  // Without `snapshotSeq`, a snapshot shows no game.
  return isWhole ? { entries, head, snapshotSeq: snapshotSeq ? Number(snapshotSeq) : null } : null;
}

/** Reads all events in the log, for operators and tests. */
export async function readWholeLog(redis: RedisClient, lobbyId: string): Promise<LogEntry[]> {
  return (await redis.xrange(lobbyKeys(lobbyId)[1], '-', '+')).map(([, [, text = '']]) => parseEntry(text));
}

/** @returns when a user was last connected, ms since 1970; null where Redis has no such time */
export async function lastSeenMs(redis: RedisClient, lobbyId: string): Promise<number | null> {
  const seen = await redis.hget(lobbyKeys(lobbyId)[0], 'seenMs');
  return seen ? Number(seen) : null;
}

const announceScript = loadAppendingScript(new URL('lua/announce-state.lua', import.meta.url));

/** Announces a lobby as Redis has it. @param which `due` and `pending`: if a change has not been announced yet */
export async function announceState(writer: EventWriter, lobbyId: string, which: 'due' | 'pending' | 'always') {
  await runAppending(writer, announceScript, lobbyKeys(lobbyId), [writer.lobbyTtlMs, which]);
}

/**
 * Announces a lobby as PostgreSQL has it, which is read again, so that the later one of two concurrent changes includes
 * both. The call is idempotent, so that it can be repeated after a crash between a change and its announcement.
 * @returns the stored lobby; null when it was deleted, which is then announced
 */
export async function announceLobby(
  deps: LobbyServices,
  lobbyId: string,
  mode: 'changed' | 'soon' = 'changed',
): Promise<StoredLobby | null> {
  const stored = await findById(deps.postgres, lobbyId);
  if (stored) {
    await putRoster(deps, stored, mode);
    return stored;
  }
  // The process that has deleted the lobby may have died before it announced the end. A lobby expires only after nobody
  // was connected for long, so that one with connected users was closed by its host.
  const { roster, closed, connected } = await readLiveState(deps.redis, lobbyId);
  if (roster && !closed && connected.length > 0) await announceClosed(deps, roster, 'host_left', roster.hostId);
  else if (roster && !closed) await announceClosed(deps, roster, 'expired');
  return null;
}

/** A timer may fire a little early, when Redis would find the announcement not yet due. */
const MARGIN_MS = 2;

/**
 * Announces several changes of a lobby by one `lobby:state`. Redis stores the time of a pending announcement. The
 * process that made the change announces it then; if it has died, the reconciler of a replica does. [contract 11]
 */
export function createPendingAnnouncements(writer: EventWriter) {
  const timers = new Map<string, NodeJS.Timeout>();

  async function announce(lobbyId: string, which: 'due' | 'pending'): Promise<void> {
    clearTimeout(timers.get(lobbyId));
    timers.delete(lobbyId);
    // One that fails is still pending in Redis, where a reconciler finds it.
    await announceState(writer, lobbyId, which).catch(() => {});
  }

  return {
    /** Announces the lobby after a delay, in ms, unless another announcement comes before. */
    schedule(lobbyId: string, delayMs: number): void {
      clearTimeout(timers.get(lobbyId));
      const timer = setTimeout(() => void announce(lobbyId, 'due'), delayMs + MARGIN_MS);
      timers.set(lobbyId, timer);
    },
    /** Announces at once what is scheduled here. */
    async flush(): Promise<void> {
      await Promise.all([...timers.keys()].map((lobbyId) => announce(lobbyId, 'pending')));
    },
  };
}
