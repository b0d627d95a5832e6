// Decides which of a socket's messages are new to the program. The service sends each event once and in the
// order of its `seq`, and sometimes a snapshot, which repeats the present state and has the `seq` and `mark`
// of the last event that it contains. [contract 5.9, 16]
import type { ErrorMessage, ServerMessage } from './types.ts';

/** The messages about a lobby: its numbered events, and messages to one socket alone. */
export type LobbyMessage = Exclude<ServerMessage, ErrorMessage>;

/** The number and the mark of an event, from which a client resumes. */
export interface EventPosition {
  seq: number;
  mark: string;
}

export interface SeenEvents {
  /** @returns whether the program has to be given the message */
  accept(message: LobbyMessage): boolean;
  /** A new socket is connected, whose first message may be a snapshot. */
  expectSnapshot(): void;
  /** @returns the last event, from which a later client resumes */
  last(): EventPosition | undefined;
}

/** @param known the last event that the program has seen already */
export function createSeenEvents(known?: EventPosition): SeenEvents {
  let last = known;
  /** The marks of the events that were seen here, by number. */
  const marks = new Map<number, string>();
  let isSnapshotExpected = false;

  function count({ seq, mark }: EventPosition): true {
    last = { seq, mark };
    marks.set(seq, mark);
    return true;
  }

  if (known) count(known);
  return {
    accept(message) {
      // A message without a number is to this socket alone.
      if (!('seq' in message)) return true;
      const { seq, mark, type } = message;
      const isFirst = isSnapshotExpected;
      isSnapshotExpected = false;
      // The very next event.
      if (last && seq === last.seq + 1) return count({ seq, mark });
      // The state of a snapshot, from which the numbers count on. A snapshot of any other moment may run
      // ahead of events that are still to come.
      const isAhead = last !== undefined && seq > last.seq + 1;
      const isSnapshot = type === 'lobby:state' && (isFirst || isAhead);
      // Redis has lost events that this client has seen, and has given their numbers to others.
      const isOtherHistory = last && seq <= last.seq && mark !== marks.get(seq);
      if (!last || isSnapshot || isOtherHistory) {
        marks.clear();
        return count({ seq, mark });
      }
      // A snapshot of this moment repeats the last event; an older or a newer one is of no use.
      return seq === last.seq;
    },
    expectSnapshot() {
      isSnapshotExpected = true;
    },
    last: () => last,
  };
}
