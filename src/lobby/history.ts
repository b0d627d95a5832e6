// A lobby's history, event by event, and how far somebody has read it. Numbers alone don't tell two
// histories apart: when Redis forgets its last writes, it gives their numbers anew. Each event has a
// mark too, and names that of the event before. Pure. [contract 5.9, 16]

/** How far somebody has read, and in which history. */
export interface Position {
  /** The number of the last event. */
  seq: number;
  /** The mark of that event; `ORIGIN`, before the first event, has one too. */
  mark: string;
}

/** Before the first event; it is in every history. */
export const ORIGIN: Position = { seq: 0, mark: '0' };

/** A position as a client tells it: an older one knows no marks. */
export type Since = Omit<Position, 'mark'> & { mark?: string | undefined };

/** An event as the log holds it: what is sent to clients is made from it. */
export interface LogEntry extends Position {
  /** The mark of the event before: by it one sees that nothing is missing in between. */
  previous?: string;
  /** When it happened, by the Redis server's clock. */
  atMs: number;
  type: string;
  [field: string]: unknown;
}

/**
 * @param seq the lobby's last number, as Redis has it
 * @param stored `<number>:<mark>`, as append-event.lua writes it; what that says of marks holds here
 */
export function positionOf(seq: string | null | undefined, stored?: string | null): Position {
  const number = seq ?? '0';
  const [of, mark] = stored?.split(':') ?? [];
  return { seq: Number(number), mark: of === number && mark ? mark : number };
}

/** @param text an event as it was published or logged */
export function parseEntry(text: string): LogEntry {
  const entry = JSON.parse(text) as LogEntry;
  // The release before marks, which may still run beside this one, writes none.
  entry.mark ??= String(entry.seq);
  return entry;
}

/** @returns whether two positions are the same */
export function isAt(one: Position, other: Since): boolean {
  return one.seq === other.seq && (one.seq === 0 || one.mark === (other.mark ?? one.mark));
}

/** @returns whether the event is the very next one after a position, in the same history */
export function follows(entry: LogEntry, since: Since): boolean {
  const { seq, previous } = entry;
  return isAt({ seq: seq - 1, mark: previous ?? since.mark ?? '' }, since);
}
