// Every client's numbers: from its join on, each event once and in order; a client that comes back
// gets exactly what it has missed. [contract 5.9, 16]
import type { ServerEvent } from '../../client/types.ts';
import type { Client, Received, Span, Violation } from '../history.ts';

/**
 * What something heard is: told to everybody, or summed up for this client alone. Of what a release
 * says that doesn't tell them apart, nobody can always know.
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

/**
 * @param losses when Redis may have lost writes
 * @param isMarked whether snapshots say that they are
 */
export function readNumbers(client: Client, losses: readonly Span[], isMarked: boolean): Reading {
  const reading: Reading = { heard: [], violations: [], rewinds: 0 };
  let connection = -1;
  /** The last event that this connection got, or said that it had; null: none yet. */
  let position: number | null = null;
  let previousMs = 0;
  const told = new Set<string>();

  function read(item: Received, next: Received | undefined): Nature {
    const { event, atMs } = item;
    if (item.connection !== connection) {
      connection = item.connection;
      position = sinceOf(client, connection);
    }
    const isNext = position !== null && event.seq === position + 1;
    // Of a snapshot `lobby:state` and screen have one number, and it may be that of an event on its way;
    // what is on the screen was told before. But what is news may have a snapshot right behind it.
    const isNews = !event.type.startsWith('lobby:') && !told.has(nameOf(event));
    told.add(nameOf(event));
    const isSum = !isNews && next?.connection === connection && next.event.seq === event.seq;
    if (isMarked ? event.snapshot : !isNext || isSum) {
      const isLobby = event.type.startsWith('lobby:');
      // What a release that doesn't mark it sums up may be news all the same.
      if (!isMarked && isLobby) position = Math.max(position ?? 0, event.seq);
      position ??= event.seq;
      return isMarked || !isLobby ? 'snapshot' : 'unclear';
    }
    if (!isNext) {
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

  for (const [index, item] of client.received.entries()) {
    reading.heard.push({ ...item, nature: read(item, client.received[index + 1]) });
    previousMs = item.atMs;
  }
  return reading;
}

/** @returns which of a lobby's games it is of, and which of its moments */
function nameOf(event: ServerEvent): string {
  const { type, gameId, round } = { gameId: '', round: '', ...event };
  return `${type} ${gameId} ${round}`;
}

/** @returns the number after which this connection asked to go on */
function sinceOf({ sent }: Client, connection: number): number | null {
  const join = sent.find((of) => of.connection === connection && of.message.type === 'lobby:join');
  return join?.message.type === 'lobby:join' ? (join.message.since ?? null) : null;
}
