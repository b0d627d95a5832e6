// One lobby's sockets on this replica, and the delivery of its events to them: every event once and
// in the order of its number. Pub/sub is only the fast way; whatever it loses is a hole in the
// numbers, and is read from the log before anything else goes out. [contract 5.9]
import { type LogEntry, readLiveState, readLog } from '../lobby/event-log.ts';
import type { Roster } from '../lobby/schema.ts';
import type { Logger } from '../platform/logger.ts';
import type { RedisClient } from '../platform/redis.ts';
import { realtimeMetrics } from './metrics.ts';
import { render, renderSnapshot } from './render.ts';

/** What a room needs of a connection. */
export interface Listener {
  readonly id: string;
  readonly userId: string;
  send(text: string): void;
}

export interface RoomDeps {
  redis: RedisClient;
  logger: Logger;
  /** The Redis server's time, ms. */
  nowMs(): number;
  /** A socket is out because its user has left the lobby, or the lobby was closed. */
  onRemoved(lobbyId: string, listener: Listener): void;
}

export interface Room {
  readonly lobbyId: string;
  /** The sockets that get every event. */
  listeners(): Listener[];
  /** The number of the last event that went out. */
  head(): number;
  /** Takes an event that pub/sub brought. */
  accept(entry: LogEntry): void;
  /**
   * Sends what the socket has not seen, then seats it: from here on it gets every event.
   * @returns whether it is seated: not when it has gone meanwhile, or the lobby has
   */
  seat(listener: Listener, since: number | undefined): Promise<boolean>;
  unseat(listener: Listener): void;
  /** Reads from the log whatever came after the last event that went out. */
  fill(): Promise<void>;
  /** Redis has lost what it knew: everybody gets a snapshot, and its numbers count from here. */
  resync(): Promise<void>;
}

interface Seat {
  listener: Listener;
  /** The number of the last event that the socket has seen. */
  position: number;
  /** It has been told that the lobby is closed. */
  isOver: boolean;
}

/** By so much at most our idea of the Redis server's time is behind it. */
const CLOCK_MARGIN_MS = 1000;

export function createRoom(deps: RoomDeps, lobbyId: string): Room {
  const { redis, nowMs, logger } = deps;
  const seats = new Map<string, Seat>();
  /** Null until the first socket is seated: what it has not seen decides where to begin. */
  let head: number | null = null;
  /** When the last event that went out happened, or later, by the Redis server's clock. */
  let headAtMs = 0;
  /** The highest number that is known of. */
  let wanted = 0;
  let isFilling = false;
  let isFillAsked = false;

  function accept(entry: LogEntry): void {
    wanted = Math.max(wanted, entry.seq);
    if (head === null || isFilling) return;
    if (entry.seq === head + 1) deliver(entry);
    else if (entry.seq > head) inBackground(fill);
    // Redis has lost numbers that it had given, and gives them anew.
    else if (entry.atMs > headAtMs) inBackground(resync);
  }

  /** One rendering and one serialisation, whatever the number of sockets. */
  function deliver(entry: LogEntry): void {
    head = entry.seq;
    headAtMs = Math.max(headAtMs, entry.atMs);
    removeThoseWhoLeft(entry);
    const text = JSON.stringify(render(entry, nowMs()));
    for (const seat of seats.values()) {
      if (seat.position >= entry.seq) continue;
      seat.position = entry.seq;
      seat.listener.send(text);
    }
    realtimeMetrics.fanOutLag.observe(Math.max(0, nowMs() - entry.atMs) / 1000);
    if (entry.type === 'lobby:closed') removeSeats(() => true);
  }

  /** Who leaves gets no message, and the user's other sockets leave too. [contract 10] */
  function removeThoseWhoLeft(entry: LogEntry): void {
    if (entry.type === 'lobby:state') {
      const members = new Set((entry.lobby as Roster).players.map((player) => player.userId));
      removeSeats(({ userId }) => !members.has(userId));
    } else if (entry.type === 'lobby:closed') {
      removeSeats(({ userId }) => userId === entry.leaverId);
    }
  }

  function removeSeats(isOut: (listener: Listener) => boolean): void {
    for (const { listener } of seats.values()) {
      if (!isOut(listener)) continue;
      seats.delete(listener.id);
      deps.onRemoved(lobbyId, listener);
    }
  }

  async function fill(): Promise<void> {
    isFillAsked = true;
    if (isFilling || head === null) return;
    isFilling = true;
    try {
      while (isFillAsked || head < wanted) {
        isFillAsked = false;
        const entries = await readLog(redis, lobbyId, head);
        if (!entries) await startOver();
        else if (entries.length === 0) return;
        for (const entry of entries ?? []) deliver(entry);
        realtimeMetrics.eventsRecovered.inc(entries?.length ?? 0);
      }
    } finally {
      isFilling = false;
    }
  }

  /** A failure leaves the hole to the next event or the next comparison. */
  function inBackground(mend: () => Promise<void>): void {
    mend().catch((error: unknown) => logger.warn({ err: error, lobbyId }, 'hole not filled yet'));
  }

  async function resync(): Promise<void> {
    if (isFilling || head === null) return;
    isFilling = true;
    try {
      await startOver();
    } finally {
      isFilling = false;
    }
    if (wanted > head) inBackground(fill);
  }

  /** The log does not reach back: everybody gets a snapshot, and the numbers go on from there. */
  async function startOver(): Promise<void> {
    realtimeMetrics.resyncs.inc();
    wanted = 0;
    const state = await readLiveState(redis, lobbyId);
    if (state.closed && state.screen) removeThoseWhoLeft(state.screen);
    const events = renderSnapshot(state, nowMs()).map((event) => JSON.stringify(event));
    for (const seat of seats.values()) {
      for (const text of events) seat.listener.send(text);
      seat.position = state.seq;
    }
    head = state.seq;
    headAtMs = nowMs() + CLOCK_MARGIN_MS;
    if (state.closed) removeSeats(() => true);
  }

  async function seat(listener: Listener, since: number | undefined): Promise<boolean> {
    const newcomer: Seat = { listener, position: since ?? 0, isOver: false };
    if (since === undefined || !(await replay(newcomer))) await sendSnapshot(newcomer);
    while (head !== null && newcomer.position < head) {
      const { position } = newcomer;
      if (!(await replay(newcomer))) await sendSnapshot(newcomer);
      // Redis knows less than has gone out: it has lost the rest.
      else if (newcomer.position === position) await resync();
    }
    if (newcomer.isOver) return false;
    seats.set(listener.id, newcomer);
    if (head === null) {
      head = newcomer.position;
      headAtMs = nowMs() + CLOCK_MARGIN_MS;
    }
    if (wanted > head) inBackground(fill);
    return true;
  }

  /** @returns whether the log reached back far enough */
  async function replay(newcomer: Seat): Promise<boolean> {
    const entries = await readLog(redis, lobbyId, newcomer.position);
    if (!entries) return false;
    for (const entry of entries) {
      newcomer.listener.send(JSON.stringify(render(entry, nowMs())));
      newcomer.position = entry.seq;
      newcomer.isOver = entry.type === 'lobby:closed';
    }
    return true;
  }

  async function sendSnapshot(newcomer: Seat): Promise<void> {
    const state = await readLiveState(redis, lobbyId);
    realtimeMetrics.snapshots.inc();
    for (const event of renderSnapshot(state, nowMs())) {
      newcomer.listener.send(JSON.stringify(event));
    }
    newcomer.position = state.seq;
    newcomer.isOver = state.closed;
  }

  return {
    lobbyId,
    listeners: () => Array.from(seats.values(), ({ listener }) => listener),
    head: () => head ?? 0,
    accept,
    seat,
    unseat: ({ id }) => void seats.delete(id),
    fill,
    resync,
  };
}
