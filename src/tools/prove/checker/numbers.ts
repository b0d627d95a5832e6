// Sequence numbers of a client: from its join on it receives each event once and in order, and after a
// reconnection exactly the events that it has missed. [contract 5.9, 16]
import type { ServerEvent } from '../../../client/types.ts';
import type { Client, Received, Span, Violation } from '../history.ts';
import { violationOf } from './violation.ts';

/** Whether a received event was published to all clients, or is part of a snapshot for this one. */
export type Nature = 'event' | 'snapshot';

export interface Heard extends Received {
  nature: Nature;
}

export interface Reading {
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
