// One lobby's sockets on this replica, and the delivery of its events to them: every event once and
// in the order of its number. Pub/sub is only the fast way: what it brings goes out where it follows
// what went out before, and anything else is for the log to say, which is read before anything else
// goes out. Where the log goes on from elsewhere, everybody gets a snapshot. [contract 5.9, 16]
import { restoreLiveState } from '../lobby/announce.ts';
import { type LiveDeps, readLiveState, readLog } from '../lobby/event-log.ts';
import {
  follows,
  isAt,
  type LogEntry,
  ORIGIN,
  type Position,
  type Since,
} from '../lobby/history.ts';
import { isMember } from '../lobby/rules.ts';
import type { Roster } from '../lobby/schema.ts';
import type { Logger } from '../platform/logger.ts';
import { countOutage } from '../platform/outage-log.ts';
import type { Database } from '../platform/postgres.ts';
import { realtimeMetrics } from './metrics.ts';
import { createOnlookers, type Presented } from './onlookers.ts';
import { readLive, render, renderSnapshot } from './render.ts';

/** What a room needs of a connection. */
export interface Listener {
  readonly id: string;
  readonly userId: string;
  /** @param text of many, a buffer that all of them share */
  send(text: string | Buffer): void;
}

export interface RoomDeps extends LiveDeps {
  db: Database;
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
  /** The last event that went out; null until a socket is seated. */
  head(): Position | null;
  /** Takes an event that pub/sub brought. @param text as it was published */
  accept(text: string): void;
  /**
   * Sends what the socket has not seen, then seats it: from here on it gets every event.
   * @returns whether it is seated: not when it has gone meanwhile, or the lobby has
   */
  seat(listener: Listener, since: Since | undefined, roster: Roster): Promise<boolean>;
  /** The open round that this replica's sockets of a presenting host look on at, if there are any. */
  presented(): Presented | null;
  /** A host's socket that presents is told the progress anew. */
  askForProgress(listener: Listener): void;
  unseat(listener: Listener): void;
  /**
   * Reads from the log whatever came after the last event that went out. Where Redis has lost that
   * event, or has another in its place, everybody gets a snapshot, and its numbers count from there.
   */
  fill(): Promise<void>;
}

interface Seat {
  listener: Listener;
  /** The last event that the socket has seen. */
  position: Position;
  /** It has been told that the lobby is closed. */
  isOver: boolean;
}

/** So many of the events that the log gave are remembered, until pub/sub has brought them too. */
const MAX_RECOVERED = 1000;

export function createRoom(deps: RoomDeps, lobbyId: string): Room {
  const { redis, nowMs, logger } = deps;
  const seats = new Map<string, Seat>();
  /** Null until the first socket is seated: what it has not seen decides where to begin. */
  let head: Position | null = null;
  /** Marks of events that came from the log: pub/sub, being late, may bring them still. */
  const recovered = new Set<string>();
  let filling: Promise<void> | null = null;
  let isFillAsked = false;
  const onlookers = createOnlookers();

  function accept(text: string): void {
    const { entry, told } = readLive(text);
    if (head && !filling && follows(entry, head)) {
      recovered.clear();
      // True when it was published, and the same for everybody. [contract 11]
      deliver(entry, told ?? JSON.stringify(render(entry, entry.atMs)));
    } else if (entry.mark !== head?.mark && !recovered.delete(entry.mark)) {
      // A hole, or Redis gives its numbers anew; while it is filled, or nobody is seated, it waits.
      isFillAsked = true;
      if (head && !filling) fillInBackground();
    }
  }

  /** @param message what clients are told; one, whatever the number of sockets */
  function deliver(entry: LogEntry, message: string): void {
    head = { seq: entry.seq, mark: entry.mark };
    removeThoseWhoLeft(entry);
    onlookers.noteRound(entry);
    const text = Buffer.from(message);
    for (const seat of seats.values()) {
      // Whoever has come in by now has been told it, and may be ahead.
      if (!follows(entry, seat.position)) continue;
      seat.position = head;
      seat.listener.send(text);
    }
    realtimeMetrics.fanOutLag.observe(Math.max(0, nowMs() - entry.atMs) / 1000);
    if (entry.type === 'lobby:closed') removeSeats(() => true);
  }

  /** Who leaves gets no message, and the user's other sockets leave too. [contract 10] */
  function removeThoseWhoLeft(entry: LogEntry): void {
    // Who knows more than the entry tells has come back since.
    const isNews = ({ position }: Seat) => follows(entry, position);
    if (entry.type === 'lobby:state') removeStrangers(entry.lobby as Roster, isNews);
    else if (entry.type === 'lobby:closed') {
      removeSeats(({ listener }) => listener.userId === entry.leaverId);
    }
  }

  function removeStrangers(roster: Roster, isNews: (seat: Seat) => boolean = () => true): void {
    onlookers.setLobby(roster);
    const isOut = shutOutOf(roster);
    removeSeats((seat) => isNews(seat) && isOut(seat.listener));
  }

  function removeSeats(isOut: (seat: Seat) => boolean): void {
    for (const seat of seats.values()) {
      if (!isOut(seat)) continue;
      seats.delete(seat.listener.id);
      deps.onRemoved(lobbyId, seat.listener);
    }
  }

  function fill(): Promise<void> {
    isFillAsked = true;
    filling ??= readOn().finally(() => {
      filling = null;
    });
    return filling;
  }

  async function readOn(): Promise<void> {
    while (isFillAsked && head) {
      isFillAsked = false;
      const tail = await readLog(redis, lobbyId, head);
      if (tail) recover(tail.entries);
      // Whoever is still not here, when all is read, was told what Redis has lost.
      if (!tail || (!isFillAsked && areSomeElsewhere(head))) await startOver();
    }
  }

  function areSomeElsewhere(position: Position): boolean {
    return [...seats.values()].some((seat) => !isAt(position, seat.position));
  }

  function recover(entries: LogEntry[]): void {
    if (recovered.size + entries.length > MAX_RECOVERED) recovered.clear();
    for (const [index, entry] of entries.entries()) {
      recovered.add(entry.mark);
      deliver(entry, JSON.stringify(render(entry, nowMs(), entry, isPast(entries, index))));
    }
    realtimeMetrics.eventsRecovered.inc(entries.length);
  }

  /** A failure leaves the hole to the next event or the next comparison. */
  function fillInBackground(): void {
    fill().catch((error: unknown) => {
      if (!countOutage(logger, error)) logger.warn({ err: error, lobbyId }, 'hole not filled yet');
    });
  }

  /** The log does not go on from here: everybody gets a snapshot, and its numbers count from there. */
  async function startOver(): Promise<void> {
    realtimeMetrics.resyncs.inc();
    const told = [head, ...Array.from(seats.values(), ({ position }) => position)];
    const toldSeq = Math.max(...told.map((position) => position?.seq ?? 0));
    const state = await restoreLiveState(deps, lobbyId, toldSeq);
    if (state.closed && state.screen) removeThoseWhoLeft(state.screen);
    if (state.roster) removeStrangers(state.roster);
    onlookers.forgetRound();
    if (state.screen) onlookers.noteRound(state.screen);
    const events = renderSnapshot(state, nowMs()).map((event) => JSON.stringify(event));
    head = { seq: state.seq, mark: state.mark };
    for (const seat of seats.values()) {
      for (const text of events) seat.listener.send(text);
      seat.position = head;
    }
    if (state.closed) removeSeats(() => true);
  }

  async function seat(
    listener: Listener,
    since: Since | undefined,
    roster: Roster,
  ): Promise<boolean> {
    if (!head) onlookers.setLobby(roster);
    const newcomer: Seat = { listener, position: ORIGIN, isOver: false };
    if (!since || !(await replay(newcomer, since))) await sendSnapshot(newcomer);
    while (head && !newcomer.isOver && newcomer.position.seq < head.seq) {
      const { position } = newcomer;
      if (!(await replay(newcomer))) await sendSnapshot(newcomer);
      // Redis knows less than has gone out: it has lost the rest.
      else if (isAt(newcomer.position, position)) await fill();
    }
    if (newcomer.isOver) return false;
    seats.set(listener.id, newcomer);
    head ??= newcomer.position;
    if (isFillAsked || !isAt(head, newcomer.position)) fillInBackground();
    return true;
  }

  /** @returns whether the log reached back far enough */
  async function replay(newcomer: Seat, since: Since = newcomer.position): Promise<boolean> {
    const tail = await readLog(redis, lobbyId, since);
    if (!tail) return false;
    for (const [index, entry] of tail.entries.entries()) {
      onlookers.noteRound(entry);
      const event = render(entry, nowMs(), entry, isPast(tail.entries, index));
      newcomer.listener.send(JSON.stringify(event));
      newcomer.isOver = entry.type === 'lobby:closed';
    }
    newcomer.position = tail.position;
    const state = tail.entries.findLast(({ type }) => type === 'lobby:state');
    // That somebody has come back may be known and not told yet.
    if (state && !isMember(state.lobby as Roster, newcomer.listener.userId))
      checkPlace(newcomer, (await readLiveState(redis, lobbyId)).roster);
    return true;
  }

  async function sendSnapshot(newcomer: Seat): Promise<void> {
    const state = await readLiveState(redis, lobbyId);
    realtimeMetrics.snapshots.inc();
    if (state.screen) onlookers.noteRound(state.screen);
    for (const event of renderSnapshot(state, nowMs())) {
      newcomer.listener.send(JSON.stringify(event));
    }
    newcomer.position = { seq: state.seq, mark: state.mark };
    newcomer.isOver = state.closed;
    checkPlace(newcomer, state.roster);
  }

  /** Who was removed while coming in does not come in. */
  function checkPlace(newcomer: Seat, roster: Roster | null): void {
    if (roster && shutOutOf(roster)(newcomer.listener)) newcomer.isOver = true;
  }

  return {
    lobbyId,
    listeners: () => Array.from(seats.values(), ({ listener }) => listener),
    head: () => head,
    accept,
    seat,
    unseat: ({ id }) => void seats.delete(id),
    fill,
    presented: () => onlookers.presented(Array.from(seats.values(), ({ listener }) => listener)),
    askForProgress: onlookers.ask,
  };
}

/** @returns who is no member; whom the host has removed is told so; the socket stays open. [contract 11] */
function shutOutOf(roster: Roster): (listener: Listener) => boolean {
  const members = new Set(roster.players.map(({ userId }) => userId));
  return (listener) => {
    if (members.has(listener.userId)) return false;
    if (roster.kicked?.includes(listener.userId))
      listener.send(JSON.stringify({ type: 'lobby:kicked', code: roster.code }));
    return true;
  };
}

/** @returns whether the game has gone on after this entry */
function isPast(entries: LogEntry[], index: number): boolean {
  return entries.slice(index + 1).some(({ type }) => type.startsWith('game:'));
}
