// The lobby's log as its clients received it: each has got every event once and in order, and all have got the same.
// [contract 5, 5.9, 16]
import type { ServerEvent } from '../../../client/types.ts';
import type { Client, LobbyHistory, Received, Span } from '../history.ts';

/** What is wrong, and in which event. */
export type Wrong = [text: string, event?: ServerEvent | undefined];

/** An event of a game. */
export type GameEvent = Extract<ServerEvent, { gameId: string }>;

/** What every check of a lobby reads. */
export interface LobbyLog {
  history: LobbyHistory;
  /** The periods in which Redis may have lost writes, and so used a number twice. */
  losses: readonly Span[];
  /** The lobby's events in order. */
  log: readonly ServerEvent[];
  /** The events of each game by its id. */
  games: ReadonlyMap<string, GameEvent[]>;
  /** The games without hidden events. A failover may let a round of another be played on after its result was sent. */
  wholeGames: ReadonlySet<string>;
}

/** @returns a report of a difference, if there is one */
export function unequal(what: string, is: unknown, should: unknown): string[] {
  const [found, expected] = [JSON.stringify(is), JSON.stringify(should)];
  return found === expected ? [] : [`${what} is ${found}, not ${expected}`];
}

/** The time after a failover within which replicas and clients notice what was lost, ms. */
const NOTICE_MS = 10_000;

/** Each connection gets every number from its first one on. */
export function* wrongNumbers(client: Client, losses: readonly Span[]): Generator<Wrong> {
  let connection = -1;
  /** The sequence number that this connection has reached; null before its first event. */
  let position: number | null = null;
  let previousMs = 0;
  for (const { event, atMs, connection: itsConnection } of client.received) {
    if (itsConnection !== connection) {
      connection = itsConnection;
      // A join is answered by a snapshot where the log no longer reaches back to `since`.
      position = event.snapshot ? null : sinceOf(client, connection);
    }
    if (event.snapshot) position ??= event.seq;
    else {
      const isNext = position !== null && event.seq === position + 1;
      const order = position === null ? 'before any snapshot' : `after ${position}`;
      const text = `number ${event.seq} (${event.type}) comes ${order}, on connection ${connection}`;
      // The numbers may go back after a failover.
      const isLost = losses.some(({ fromMs, toMs }) => fromMs <= atMs && toMs + NOTICE_MS >= previousMs);
      if (!isNext && !isLost) yield [`${client.user.name}: ${text}`, event];
      position = event.seq;
    }
    previousMs = atMs;
  }
}

/** @returns the `since` with which this connection joined, or null */
function sinceOf({ sent }: Client, connection: number): number | null {
  const join = sent.find((of) => of.connection === connection && of.message.type === 'lobby:join');
  return join?.message.type === 'lobby:join' ? (join.message.since ?? null) : null;
}

/** An event's mark identifies it. An event without one is a violation, and is identified by its number. */
const identityOf = ({ mark, seq }: ServerEvent) => mark || `number ${seq}`;

/** The event without the fields that depend on the moment of sending, and with its fields sorted. */
function stableText(event: ServerEvent): string {
  const fields = Object.entries({ ...event, remainingMs: 0, nextInMs: 0 });
  return JSON.stringify(Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Each event has one content and one number, whoever receives it. After a failover a number may be used twice. */
export function* differences(heard: readonly Received[], isLossy: boolean): Generator<Wrong> {
  const texts = new Map<string, string>();
  for (const { event } of heard) {
    if (event.snapshot) continue;
    const text = stableText(event);
    const keys = isLossy ? [identityOf(event)] : [identityOf(event), `number ${event.seq}`];
    const told = keys.map((key) => texts.get(key) ?? text).find((known) => known !== text);
    if (told !== undefined) yield [`two events in one:\n  ${told}\n  ${text}`, event];
    for (const key of keys) texts.set(key, texts.get(key) ?? text);
  }
}

const MARK_MAX = 16;

/** Each event has a mark, and one predecessor, whoever receives it. [contract 16] */
export function* wrongMarks(clients: readonly (readonly Received[])[]): Generator<Wrong> {
  const predecessors = new Map<string, string>();
  for (const received of clients) {
    let before: ServerEvent | undefined;
    for (const { event } of received) {
      const { mark, seq, type, snapshot } = event;
      if (!mark) yield [`${type} ${seq} has no mark`, event];
      if (mark && mark.length > MARK_MAX) yield [`a mark is too long: ${mark}`, event];
      if (!snapshot && before?.seq === seq - 1) {
        const first = predecessors.get(mark) ?? before.mark;
        if (first !== before.mark) yield [`number ${seq} (${type}) follows two different events`, event];
        predecessors.set(mark, first);
      }
      before = event;
    }
  }
}

/**
 * Merges what all clients received into one log.
 * @param isLossy whether a failover may have removed events; a snapshot's `lobby:state` then stands for the
 *   event of its number, which may have reached nobody
 * @returns the lobby's events by sequence number, without those that a failover removed
 */
export function mergeLog(heard: readonly Received[], isLossy: boolean): ServerEvent[] {
  const events = new Map<string, ServerEvent>();
  const log = new Map<number, ServerEvent>();
  const told = heard.filter(({ event }) => !event.snapshot || (isLossy && event.type === 'lobby:state'));
  for (const { event } of told.toSorted((a, b) => a.atMs - b.atMs)) {
    const identity = identityOf(event);
    const known = events.get(identity);
    if (known && (event.snapshot || !known.snapshot)) continue;
    events.set(identity, event);
    const current = log.get(event.seq);
    // The event takes the place of the snapshot's state, also if a client that lagged has rewound the log since.
    const isTaken = current && identityOf(current) !== identity;
    if (known && isTaken) continue;
    if (isTaken) for (const seq of log.keys()) if (seq >= event.seq) log.delete(seq);
    log.set(event.seq, event);
  }
  return [...log.values()].toSorted((a, b) => a.seq - b.seq);
}

/** Together the clients have received every event; a snapshot stands for the events before it. */
export function* holesOf({ log }: LobbyLog): Generator<Wrong> {
  for (const [index, event] of log.entries()) {
    const before = log[index - 1]?.seq ?? event.seq - 1;
    if (!event.snapshot && event.seq !== before + 1)
      yield [`no client received events ${before + 1} to ${event.seq - 1}`, event];
  }
}

/** @returns the lobby's games by id, each with its events in order */
export function gamesOf(log: readonly ServerEvent[]): Map<string, GameEvent[]> {
  return Map.groupBy(
    log.filter((event): event is GameEvent => 'gameId' in event && event.type.startsWith('game:')),
    ({ gameId }) => gameId,
  );
}

/** A snapshot within a game means that a failover hid some of its events from all clients. */
export function wholeGamesOf(log: readonly ServerEvent[]): Set<string> {
  const whole = [...gamesOf(log)].filter(([, events]) => {
    const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
    const before = log.findLast(({ seq, type }) => seq < first && type === 'game:finished') ?? log[0];
    return !log.some(({ seq, snapshot }) => snapshot && seq > (before?.seq ?? 0) && seq < last);
  });
  return new Set(whole.map(([gameId]) => gameId));
}
