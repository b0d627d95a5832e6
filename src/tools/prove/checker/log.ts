// The lobby's log as its clients received it: each has got every event once and in order, and all have got the same.
// [contract 5, 5.9, 16]
import type { ServerEvent } from '../../../client/types.ts';
import { type Client, type Received, type Span, type Violation, violationOf } from '../history.ts';

/** Whether a received event was published to all clients, or is part of a snapshot for this one. */
type Nature = 'event' | 'snapshot';

export interface Heard extends Received {
  nature: Nature;
}

interface Reading {
  heard: Heard[];
  violations: Violation[];
  /** How often the sequence numbers went back, as a failover may cause. */
  rewinds: number;
}

/** The time after a failover within which replicas and clients notice what was lost, ms. */
const NOTICE_MS = 10_000;

/** @param losses the periods in which Redis may have lost writes */
export function readNumbers(client: Client, losses: readonly Span[]): Reading {
  const reading: Reading = { heard: [], violations: [], rewinds: 0 };
  let connection = -1;
  /** The sequence number that this connection has reached; null before its first event. */
  let position: number | null = null;
  let previousMs = 0;

  function read({ event, atMs, connection: itsConnection }: Received): Nature {
    if (itsConnection !== connection) {
      connection = itsConnection;
      // A join is answered by a snapshot where the log no longer reaches back to `since`.
      position = event.snapshot ? null : sinceOf(client, connection);
    }
    if (event.snapshot) {
      position ??= event.seq;
      return 'snapshot';
    }
    if (position === null || event.seq !== position + 1) {
      if (losses.some(({ fromMs, toMs }) => fromMs <= atMs && toMs + NOTICE_MS >= previousMs)) reading.rewinds++;
      else complain(event, position);
    }
    position = event.seq;
    return 'event';
  }

  function complain(event: ServerEvent, last: number | null): void {
    const order = last === null ? 'before any snapshot' : `after ${last}`;
    const text = `${client.user.name}: number ${event.seq} (${event.type}) comes ${order}, on connection ${connection}`;
    reading.violations.push(violationOf('numbers', text, event));
  }

  for (const item of client.received) {
    reading.heard.push({ ...item, nature: read(item) });
    previousMs = item.atMs;
  }
  return reading;
}

/** @returns the `since` with which this connection joined, or null */
function sinceOf({ sent }: Client, connection: number): number | null {
  const join = sent.find((of) => of.connection === connection && of.message.type === 'lobby:join');
  return join?.message.type === 'lobby:join' ? (join.message.since ?? null) : null;
}

// All clients receive the same: each event has one content, one mark and one predecessor, whoever receives
// it. [contract 5, 16]

const MARK_MAX = 16;

/** The event without the fields that depend on the moment of sending, and with its fields sorted. */
function stableText(event: ServerEvent): string {
  const fields = Object.entries({ ...event, remainingMs: 0, nextInMs: 0 });
  return JSON.stringify(Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** An event's mark identifies it. An event without one is a violation, and is identified by its text. */
const identityOf = (event: ServerEvent) => event.mark || stableText(event);

/**
 * @param heard the events of each client
 * @param losses the periods in which Redis may have lost writes, and so used a number twice
 */
export function checkSame(heard: readonly (readonly Heard[])[], losses: readonly Span[]): Violation[] {
  const violations: Violation[] = [];
  const complain = (kind: string, event: ServerEvent, text: string) => violations.push(violationOf(kind, text, event));
  const texts = new Map<string, string>();
  const identities = new Map<number, string>();
  const predecessors = new Map<string, string>();

  for (const list of heard) {
    let before: { seq: number; identity: string } | null = null;
    for (const { event, nature } of list) {
      const { mark } = event;
      if (!mark) complain('marks', event, `${event.type} ${event.seq} has no mark`);
      if (mark && mark.length > MARK_MAX) complain('marks', event, `a mark is too long: ${mark}`);
      const identity = identityOf(event);
      if (nature !== 'event') {
        before = mark ? { seq: event.seq, identity } : null;
        continue;
      }
      const text = stableText(event);
      const told = texts.get(identity) ?? text;
      if (told !== text) complain('same', event, `two events in one:\n  ${told}\n  ${text}`);
      texts.set(identity, text);
      const known = identities.get(event.seq) ?? identity;
      if (known !== identity && losses.length === 0)
        complain('same', event, `number ${event.seq} is two events:\n  ${texts.get(known)}\n  ${text}`);
      identities.set(event.seq, known);
      if (before?.seq === event.seq - 1) {
        const first = predecessors.get(identity) ?? before.identity;
        if (first !== before.identity)
          complain('marks', event, `number ${event.seq} follows two different events:\n  ${text}`);
        predecessors.set(identity, first);
      }
      before = { seq: event.seq, identity };
    }
  }
  return violations;
}

/**
 * Merges what the clients received into one log.
 * @param isLossy whether a failover may have removed events; a snapshot's `lobby:state` then stands for the
 *   event of its number, which may have reached nobody
 * @returns the lobby's events by sequence number, without those that a failover removed
 */
export function mergeLog(heard: readonly (readonly Heard[])[], isLossy: boolean): ServerEvent[] {
  const known = new Map<string, Heard['nature']>();
  const log = new Map<number, ServerEvent>();
  const told = heard
    .flat()
    .filter(({ nature, event }) => nature === 'event' || (isLossy && event.type === 'lobby:state'));
  for (const { event, nature } of told.toSorted((a, b) => a.atMs - b.atMs)) {
    const identity = identityOf(event);
    const before = known.get(identity);
    if (before === nature || before === 'event') continue;
    known.set(identity, nature);
    const current = log.get(event.seq);
    // The event takes the place of the snapshot's state, also if a client that lagged has rewound the log since.
    const isTaken = current && identityOf(current) !== identity;
    if (before === 'snapshot' && isTaken) continue;
    if (isTaken) for (const seq of log.keys()) if (seq >= event.seq) log.delete(seq);
    log.set(event.seq, event);
  }
  return [...log.values()].toSorted((a, b) => a.seq - b.seq);
}
