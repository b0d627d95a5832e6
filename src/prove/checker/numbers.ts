// Every client's numbers: from its join on, each event once and in order; a client that comes back
// gets exactly what it has missed. [contract 5.9, 16]
import type { ServerEvent } from '../../client/types.ts';
import type { Client, Received, Span, Violation } from '../history.ts';

/** What something heard is: told to everybody, or summed up for this client alone. */
export type Nature = 'event' | 'snapshot';

export interface Heard extends Received {
  nature: Nature;
}

export interface Reading {
  heard: Heard[];
  violations: Violation[];
  /** How often the history was turned back, as a failover may do. */
  rewinds: number;
}

/** How long after a failover a replica may find out what it has lost, and its clients too. */
const FIND_OUT_MS = 10_000;

/** @param losses when Redis may have lost writes */
export function readNumbers(client: Client, losses: readonly Span[]): Reading {
  const reading: Reading = { heard: [], violations: [], rewinds: 0 };
  let connection = -1;
  /** The last event that this connection got, or said that it had; null: none yet. */
  let position: number | null = null;
  let previousMs = 0;

  function read({ event, atMs, connection: itsConnection }: Received): Nature {
    if (itsConnection !== connection) {
      connection = itsConnection;
      position = sinceOf(client, connection);
    }
    if (event.snapshot) {
      position ??= event.seq;
      return 'snapshot';
    }
    if (position === null || event.seq !== position + 1) {
      if (losses.some(({ fromMs, toMs }) => fromMs <= atMs && toMs + FIND_OUT_MS >= previousMs))
        reading.rewinds++;
      else complain(event, position);
    }
    position = event.seq;
    return 'event';
  }

  function complain({ seq, type }: ServerEvent, last: number | null): void {
    const order = last === null ? 'before any snapshot' : `after ${last}`;
    const text = `${client.user.name}: number ${seq} (${type}) comes ${order}, on connection ${connection}`;
    reading.violations.push({ kind: 'numbers', text });
  }

  for (const item of client.received) {
    reading.heard.push({ ...item, nature: read(item) });
    previousMs = item.atMs;
  }
  return reading;
}

/** @returns the number after which this connection asked to go on */
function sinceOf({ sent }: Client, connection: number): number | null {
  const join = sent.find((of) => of.connection === connection && of.message.type === 'lobby:join');
  return join?.message.type === 'lobby:join' ? (join.message.since ?? null) : null;
}
