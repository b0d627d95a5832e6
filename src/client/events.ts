// The events of a lobby as a program gets them: each once and in order, by number and mark; an event that a snapshot
// repeats is told from a new one; listeners by type, and a buffer for `for await`. [contract 5.9, 16]
import type { ServerMessage } from './types.ts';

/** The messages about a lobby: its numbered events, and messages to one socket alone. */
export type LobbyMessage = Exclude<ServerMessage, { type: 'ack' | 'error' }>;

/** The number and the mark of an event, from which a client resumes. */
export interface EventPosition {
  seq: number;
  mark: string;
}

export interface SeenEvents {
  /**
   * @param isAside whether the message came beside the stream of events, and may be ahead of it
   * @returns whether the program has to be given the message
   */
  accept(message: LobbyMessage, isAside?: boolean): boolean;
  /** A new socket is connected, whose first message may be a snapshot. */
  expectSnapshot(): void;
  /** @returns the last event, from which a later client resumes */
  last(): EventPosition | undefined;
}

/**
 * How many marks of the newest events are stored. An older event of the same history is never sent again, since a
 * snapshot is only a few events late.
 */
const KEPT_MARKS = 100;

/** @param known the last event that the program has seen already */
export function createSeenEvents(known?: EventPosition): SeenEvents {
  let last = known;
  /** The marks of the events that were seen here, by number. */
  const marks = new Map<number, string>();
  let isSnapshotExpected = false;

  function count({ seq, mark }: EventPosition): true {
    last = { seq, mark };
    marks.set(seq, mark);
    marks.delete(seq - KEPT_MARKS);
    return true;
  }

  if (known) count(known);
  return {
    accept(message, isAside) {
      // A message without a number is to this socket alone.
      if (!('seq' in message)) return true;
      const { seq, mark, type } = message;
      if (isAside) return seq === last?.seq && mark === last.mark;
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

/** The fields that tell the contents of events apart. */
interface Content extends Partial<EventPosition> {
  type?: string;
  gameId?: string;
  questionId?: string;
  question?: { questionId: string } | undefined;
}

/** @returns the identity of an event's content among those of its type; undefined where it is always new */
export function identityOf({
  seq,
  mark,
  gameId,
  question,
  questionId = question?.questionId,
}: Content): string | undefined {
  return seq === undefined ? undefined : (questionId ?? gameId ?? `${seq} ${mark}`);
}

/**
 * How many events wait for the first read; beyond it the oldest is removed: the program may only use `on`.
 */
const MAX_BEFORE_READ = 1000;

export interface EventBuffer<T> {
  push(item: T): void;
  /** Ends the iteration. @param error thrown to the reader after the remaining items */
  end(error?: Error): void;
  /** Iterates over what was not read yet. Several iterators share the items. */
  read(): AsyncIterableIterator<T>;
}

export function createEventBuffer<T>(): EventBuffer<T> {
  const items: T[] = [];
  let wake = () => {};
  let changed: Promise<void>;
  let isRead = false;
  let isOver = false;
  let failure: Error | undefined;
  const renew = () => {
    wake();
    changed = new Promise((resolve) => {
      wake = resolve;
    });
  };

  renew();
  return {
    push(item) {
      items.push(item);
      if (!isRead && items.length > MAX_BEFORE_READ) items.shift();
      renew();
    },
    end(error) {
      isOver = true;
      failure = error;
      renew();
    },
    async *read() {
      for (isRead = true; ; await changed) {
        while (items.length > 0) yield items.shift() as T;
        const thrown = failure;
        // The error is thrown once; after it the iterator is done.
        failure = undefined;
        if (thrown) throw thrown;
        if (isOver) return;
      }
    },
  };
}

export interface Listeners<Events> {
  /** @returns removes the listener */
  on<T extends keyof Events>(type: T, listener: (event: Events[T]) => void): () => void;
  emit<T extends keyof Events>(type: T, event: Events[T]): void;
}

export function createListeners<Events>(): Listeners<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    on(type, listener) {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType.add(listener));
      return () => void ofType.delete(listener);
    },
    emit(type, event) {
      for (const listener of listeners.get(type) ?? []) {
        try {
          (listener as (event: unknown) => void)(event);
        } catch (error) {
          // A listener's error is reported as uncaught and doesn't stop other listeners.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
