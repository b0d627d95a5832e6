// A lobby in Redis: its roster, who is connected, what the screens show, and the numbered log of its events.
// [contract 5, 5.9, 16]
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import { type EventWriter, loadAppendingScript, runAppending } from './event-writer.ts';
import { type Cursor, follows, isAt, type LogEntry, type Position, positionOf } from './history.ts';
import { lobbyKeys, socketsKey } from './keys.ts';
import type { PendingAnnouncements } from './pending-announcements.ts';
import { parseEntry, parseRoster, parseRow, rosterArguments, type StreamRow } from './redis-values.ts';
import type { Roster } from './schema.ts';
import type { StoredLobby } from './store.ts';

const putRosterScript = loadAppendingScript(new URL('lua/put-roster.lua', import.meta.url));
const readLogScript = loadScript(new URL('lua/read-log.lua', import.meta.url));
const closeScript = loadAppendingScript(new URL('lua/close-lobby.lua', import.meta.url));

/** How long Redis stores that a lobby was closed, ms: longer than the lobby's log. [contract 5.9] */
const CLOSED_TTL_MS = 15 * 60_000;

export interface LiveDeps extends EventWriter {
  pendingAnnouncements: Pick<PendingAnnouncements, 'schedule'>;
}

/** A lobby as Redis has it at one instant, and the position of its last event. */
export interface LiveState extends Position {
  /** Null where Redis doesn't know the lobby. */
  roster: Roster | null;
  connected: string[];
  /** The open question, the end of the game or the end of the lobby, when there is one. */
  screen: LogEntry | null;
  closed: boolean;
}

/**
 * Stores a lobby's roster unless a newer one is known, and announces it when it has changed.
 * @param mode `soon` may announce it together with other changes
 */
export async function putRoster(
  deps: LiveDeps,
  stored: StoredLobby,
  mode: 'changed' | 'soon' = 'changed',
): Promise<void> {
  const { lobbyId } = stored.roster;
  const args = [deps.lobbyTtlMs, ...rosterArguments(stored), mode];
  const delayMs = await runAppending(deps, putRosterScript, lobbyKeys(lobbyId), args);
  if (Number(delayMs) > 0) deps.pendingAnnouncements.schedule(lobbyId, Number(delayMs));
}

/**
 * Announces once that a lobby is closed. [contract 5.2, 4]
 * @param leaverId the host who has left and so gets no message
 */
export async function announceClosed(
  deps: LiveDeps,
  lobby: { lobbyId: string; code: string },
  reason: 'host_left' | 'expired',
  leaverId?: string,
): Promise<void> {
  const event = { type: 'lobby:closed', code: lobby.code, reason, leaverId };
  const keys = [...lobbyKeys(lobby.lobbyId), socketsKey(lobby.lobbyId)];
  await runAppending(deps, closeScript, keys, [CLOSED_TTL_MS, JSON.stringify(event)]);
}

export async function readLiveState(redis: RedisClient, lobbyId: string): Promise<LiveState> {
  const [lobby] = lobbyKeys(lobbyId);
  const [seq, mark, roster, status, gameId, connected, screen, closed] = await redis.hmget(
    lobby,
    'seq',
    'mark',
    'roster',
    'status',
    'gameId',
    'connected',
    'screen',
    'closed',
  );
  return {
    ...positionOf(seq, mark),
    roster: roster ? parseRoster(roster, status ?? '', gameId ?? '') : null,
    connected: connected ? (JSON.parse(connected) as string[]) : [],
    screen: screen ? parseEntry(screen) : null,
    closed: closed !== null && closed !== undefined,
  };
}

/** @returns a lobby's roster with its version; null where Redis doesn't know the lobby */
export async function readRoster(redis: RedisClient, lobbyId: string): Promise<StoredLobby | null> {
  const [lobby] = lobbyKeys(lobbyId);
  const fields = await redis.hmget(lobby, 'roster', 'status', 'gameId', 'version');
  const [roster, status, gameId, version] = fields;
  if (!roster) return null;
  return { roster: parseRoster(roster, status ?? '', gameId ?? ''), version: Number(version) };
}

/** The events after a position, or the first ones of them. */
export interface LogPart {
  /** The events in order, without a gap. */
  entries: LogEntry[];
  /** The position of the lobby's last event, which may come long after these. */
  head: Position;
  /** The number of the event that the screens show; null where they show no game. */
  screenSeq: number | null;
}

/**
 * Reads the events after a position.
 * @param maxBytes how much is read at once; a first entry that is larger comes alone
 * @returns null where the log no longer reaches back that far, or has another history
 */
export async function readLog(
  redis: RedisClient,
  lobbyId: string,
  cursor: Cursor,
  maxBytes: number,
): Promise<LogPart | null> {
  const [lobby, log] = lobbyKeys(lobbyId);
  const reply = await runScript(redis, readLogScript, [lobby, log], [cursor.seq + 1, maxBytes]);
  const [seq, mark, screenSeq, rows] = reply as [string, string, string, StreamRow[]];
  const head = positionOf(seq, mark);
  const entries = rows.map(parseRow);
  const isWhole = entries[0] ? follows(entries[0], cursor) : isAt(head, cursor);
  return isWhole ? { entries, head, screenSeq: screenSeq ? Number(screenSeq) : null } : null;
}

/** @returns all events in the log, for operators and tests */
export async function readWholeLog(redis: RedisClient, lobbyId: string): Promise<LogEntry[]> {
  const [, log] = lobbyKeys(lobbyId);
  return (await redis.xrange(log, '-', '+')).map(parseRow);
}

/** @returns when a user was last connected, ms since 1970; null where Redis has no such time */
export async function lastSeenMs(redis: RedisClient, lobbyId: string): Promise<number | null> {
  const [lobby] = lobbyKeys(lobbyId);
  const seen = await redis.hget(lobby, 'seenMs');
  return seen ? Number(seen) : null;
}
