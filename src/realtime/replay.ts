// Reads a lobby's log for sockets that catch up, a chunk at a time. Sockets at the same position share a chunk, and
// those that are ahead wait for the others, so that a crowd that comes back reads each part about once. [contract
// 5.9, 19]
import { setImmediate } from 'node:timers/promises';
import { type LogPart, readLog } from '../lobby/event-log.ts';
import type { Cursor, LogEntry, Position } from '../lobby/history.ts';
import type { Services } from '../services.ts';
import { CHUNK_BYTES } from './connection.ts';
import { type Message, renderMessage } from './render.ts';
import { membersOf, namesMembers } from './subscriptions.ts';

/** Some of the events that a socket has missed, which are sent together. */
export type Chunk = ReturnType<typeof chunkOf>;

/** For how long a reading may wait for those of earlier positions, ms; beyond it, it is the next one. */
const PATIENCE_MS = 500;

interface Reading extends PromiseWithResolvers<Chunk | null> {
  since: Cursor;
  requestedMs: number;
}

export function createReplay({ redis, nowMs }: Pick<Services, 'nowMs' | 'redis'>, lobbyId: string) {
  /** The readings under way or waiting, the oldest first, by the position after which they read. */
  const readings = new Map<string, Reading>();
  let isBusy = false;

  /** As `read`, but never from a reading that began earlier and so may lack the newest event. */
  async function readAnew(since: Cursor): Promise<Chunk | null> {
    const part = await readLog(redis, lobbyId, since, CHUNK_BYTES);
    return part && chunkOf(part, nowMs());
  }

  async function readInTurn(): Promise<void> {
    for (let next = takeNext(readings); next; next = takeNext(readings)) {
      const [key, { since, resolve, reject }] = next;
      await readAnew(since).then(resolve, reject);
      readings.delete(key);
      // The readers that have got this chunk request the next one before it is chosen.
      await setImmediate();
    }
    isBusy = false;
  }

  /**
   * A room reads its log once at a time, so that a crowd that comes back leaves the process to other rooms.
   * @returns the events after a position; null where the log doesn't reach back, or has another history
   */
  function read(since: Cursor): Promise<Chunk | null> {
    const key = `${since.seq} ${since.mark}`;
    const reading = readings.get(key) ?? {
      since,
      requestedMs: performance.now(),
      ...Promise.withResolvers<Chunk | null>(),
    };
    readings.set(key, reading);
    if (!isBusy) {
      isBusy = true;
      void readInTurn();
    }
    return reading.promise;
  }

  return { read, readAnew };
}

/**
 * @returns the reading of the earliest position, so that readers who are ahead wait, and share the rest with those
 *   behind; or else the one that has waited for too long
 */
function takeNext(readings: ReadonlyMap<string, Reading>): [key: string, Reading] | undefined {
  const [oldest, ...others] = readings;
  if (!oldest || performance.now() - oldest[1].requestedMs > PATIENCE_MS) return oldest;
  return others.reduce((first, each) => (each[1].since.seq < first[1].since.seq ? each : first), oldest);
}

function chunkOf(part: LogPart, nowMs: number) {
  const messages: Message[] = [];
  let bytes = 0;
  for (const [index, entry] of part.entries.entries()) {
    const message = renderMessage(entry, nowMs, isPast(part, index));
    bytes += message.maxBytes;
    if (bytes > CHUNK_BYTES && index > 0) break;
    messages.push(message);
  }
  const entries = part.entries.slice(0, messages.length);
  /** The position of the lobby's last event when the log was read. */
  const { head } = part;
  const end: Position = entries.at(-1) ?? head;
  return { entries, messages, end, head, states: statesOf(entries) };
}

function isPast({ entries, snapshotSeq }: LogPart, index: number): boolean {
  const { seq } = entries[index] as LogEntry;
  if (snapshotSeq === null || snapshotSeq > seq) return true;
  return entries.slice(index + 1).some(({ type }) => type.startsWith('game:'));
}

/** @returns what each `lobby:state` says of the members */
function statesOf(entries: LogEntry[]) {
  return entries.flatMap((entry, index) => {
    if (entry.type !== 'lobby:state') return [];
    const isMember = membersOf(entry);
    return { entry, index, isMember, isNaming: namesMembers(entry) };
  });
}
