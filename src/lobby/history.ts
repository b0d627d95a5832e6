// A lobby's history is its numbered events; a position is how far a reader has read it. Redis gives numbers again after
// a failover that has lost its last writes. Each event therefore has a mark too, and contains the mark of the event
// before it, so that two histories can be told apart. Pure. [contract 5.9, 16]

export interface Position {
  seq: number;
  /** The mark of that event; `ORIGIN`, before the first event, has one too. */
  mark: string;
}

/** The position before the first event, which is part of every history. */
export const ORIGIN: Position = { seq: 0, mark: '0' };

/** A position as a client sends it; without a mark, the number alone counts. [contract 16] */
export type Cursor = Omit<Position, 'mark'> & { mark?: string | undefined };

/** An event of the log; the messages to clients are made from it. */
export interface LogEntry extends Position {
  /** The mark of the event before, which shows that no event is missing in between. */
  previous: string;
  /** When the event was appended, by the Redis server's clock, ms since 1970. */
  atMs: number;
  by: string;
  type: string;
  [field: string]: unknown;
}

/** @returns a lobby's position in Redis, where the number is missing before the first event */
export function positionOf(seq?: string | null, mark?: string | null): Position {
  return seq && mark ? { seq: Number(seq), mark } : ORIGIN;
}

/** @returns whether two positions are the same; all positions of number 0 are */
export function isAt(one: Position, other: Cursor): boolean {
  return one.seq === other.seq && (one.seq === 0 || one.mark === (other.mark ?? one.mark));
}

/** @returns whether the event is the very next one after a position, in the same history */
export function follows({ seq, previous }: LogEntry, cursor: Cursor): boolean {
  return isAt({ seq: seq - 1, mark: previous }, cursor);
}
