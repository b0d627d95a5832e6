// Every client's numbers: from its join on, each event once and in order; a client that comes back
// gets exactly what it has missed. [contract 5.9, 16]
import type { Received } from '../../support/robot.ts';
import type { Client, Span, Violation } from '../history.ts';

/**
 * What something heard is: told to everybody, or summed up for this client alone. After a join that
 * was repeated on one connection nobody can tell the one from the other.
 */
export type Nature = 'event' | 'snapshot' | 'unclear';

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

/** What a snapshot can consist of, after its `lobby:state`. */
const SCREENS = new Set(['game:question', 'game:answer_result', 'game:finished', 'lobby:closed']);

/** @param losses when Redis may have lost writes */
export function readNumbers(client: Client, losses: readonly Span[]): Reading {
  const reading: Reading = { heard: [], violations: [], rewinds: 0 };
  let connection = -1;
  /** The numbers that may be the last one that this connection got; null: none yet. */
  let positions: Set<number> | null = null;
  let snapshotSeq: number | null = null;

  const joinsOf = (of: number, beforeMs: number) =>
    client.sent.filter(
      (sent) =>
        sent.message.type === 'lobby:join' && sent.connection === of && sent.atMs <= beforeMs,
    );

  function read(item: Received, previousMs: number): Nature {
    const { seq, type } = item.event;
    const joins = joinsOf(item.connection, item.atMs);
    if (item.connection !== connection) {
      connection = item.connection;
      snapshotSeq = null;
      const since = joins[0]?.message.since;
      positions = typeof since === 'number' ? new Set([since]) : null;
    }
    const isStart = type === 'lobby:state' || type === 'lobby:closed';
    if (snapshotSeq === seq && SCREENS.has(type)) return 'snapshot';
    if (positions === null) {
      if (!isStart) complain(item, 'comes before any snapshot');
      positions = new Set([seq]);
      return 'snapshot';
    }
    // A join that was repeated on one connection is answered by a snapshot, at any moment.
    const isAsked = joins.length > 1;
    if (positions.has(seq - 1)) {
      const isUnclear = isAsked && isStart;
      positions = isUnclear ? positions.add(seq) : new Set([seq]);
      return isUnclear ? 'unclear' : 'event';
    }
    const isLoss = losses.some(
      ({ fromMs, toMs }) => fromMs <= item.atMs && toMs + FIND_OUT_MS >= previousMs,
    );
    if (isLoss) reading.rewinds++;
    else if (isAsked && isStart) {
      if (seq > Math.max(...positions)) positions.add(seq);
      return 'snapshot';
    } else complain(item, `comes after ${[...positions].join(' or ')}`);
    positions = new Set([seq]);
    return isStart ? 'snapshot' : 'event';
  }

  function complain({ event, connection: on }: Received, text: string): void {
    const { name } = client.user;
    const what = `${name}: number ${event.seq} (${event.type}) ${text}, on connection ${on}`;
    reading.violations.push({ kind: 'numbers', text: what });
  }

  client.received.forEach((item, index) => {
    const nature = read(item, client.received[index - 1]?.atMs ?? item.atMs);
    reading.heard.push({ ...item, nature });
    snapshotSeq = nature === 'event' ? null : item.event.seq;
  });
  return reading;
}
