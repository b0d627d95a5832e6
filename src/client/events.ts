// Delivers a lobby's events to the program, one after the other, each judgement after the check of its commitment, and
// none after the end of the connection: to listeners by type, and to a buffer for `for await`. An event that a snapshot
// repeats is told from a new one. [contract 5.9, 12]
import type { ApiError } from './api-error.ts';
import { createCommitments } from './commitment.ts';
import type { EventPosition, LobbyMessage } from './live.ts';
import type { LobbyPosition } from './lobby-connection.ts';

export interface EventDeliveryOptions {
  /** The last event that the program was given before, by an earlier connection. */
  position: LobbyPosition | undefined;
  /** The connection has ended. */
  isOver(): boolean;
  onEvent(event: LobbyMessage): void;
  /** A snapshot has repeated an event that the program was given before. */
  onRepeated(event: LobbyMessage): void;
  /** A round is judged; its commitment is not checked yet. */
  onJudged(questionId: string): void;
  /** The service has lost events that were delivered here, and maybe an answer with them. */
  onLoss(): void;
  /** The commitment of a judgement is broken. */
  onFailure(error: ApiError): void;
}

export interface EventDelivery {
  /** Runs a step after all earlier ones, unless the connection has ended. */
  enqueue(step: () => void | Promise<void>): void;
  /** @param last the last event of the connection, this one included */
  deliver(event: LobbyMessage, last: EventPosition | undefined): void;
  /** @returns where a later client resumes */
  position(): LobbyPosition | undefined;
}

export function createEventDelivery(options: EventDeliveryOptions): EventDelivery {
  let { position } = options;
  let delivered = Promise.resolve();
  const commitments = createCommitments(position?.commitment);
  const repeated = createRepeatedEvents(position);

  function enqueue(step: () => void | Promise<void>): void {
    delivered = delivered.then(() => (options.isOver() ? undefined : step())).catch(options.onFailure);
  }

  async function deliver(event: LobbyMessage, last: EventPosition | undefined): Promise<void> {
    if (event.type === 'game:question') commitments.note(event.question);
    if (event.type === 'game:answer_result') {
      options.onJudged(event.questionId);
      await commitments.check(event);
      if (options.isOver()) return;
    }
    if (isOtherHistory(event, position)) {
      repeated.clear();
      options.onLoss();
    }
    position = last && { ...last, commitment: commitments.last() };
    if (repeated.isRepeated(event)) options.onRepeated(event);
    else options.onEvent(event);
  }

  return { enqueue, deliver: (event, last) => enqueue(() => deliver(event, last)), position: () => position };
}

function isOtherHistory(event: LobbyMessage, known: EventPosition | undefined): boolean {
  return known !== undefined && 'seq' in event && event.seq <= known.seq && event.mark !== known.mark;
}

export interface RepeatedEvents {
  /** Notes the event. @returns whether one with the same content was noted before */
  isRepeated(event: LobbyMessage): boolean;
  /** Another history begins, in which everything is new. */
  clear(): void;
}

/** @param known the `lobby:state` or later event that an earlier client of the program has given */
export function createRepeatedEvents(known?: EventPosition): RepeatedEvents {
  const lastIdentities = new Map<string, string>();
  if (known) lastIdentities.set('lobby:state', `${known.seq} ${known.mark}`);
  return {
    isRepeated(event) {
      const identity = identityOf(event);
      if (identity === null) return false;
      const isRepeated = lastIdentities.get(event.type) === identity;
      lastIdentities.set(event.type, identity);
      return isRepeated;
    },
    clear: () => lastIdentities.clear(),
  };
}

/** @returns the identity of a message's content among those of its type; null where it is always new */
function identityOf(event: LobbyMessage): string | null {
  switch (event.type) {
    case 'lobby:state':
      return `${event.seq} ${event.mark}`;
    case 'game:question':
      return event.question.questionId;
    case 'game:answer_result':
      return event.questionId;
    case 'game:finished':
      return event.gameId;
    default:
      return null;
  }
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
  const waiting: (() => void)[] = [];
  let isRead = false;
  let isOver = false;
  let failure: Error | undefined;

  async function next(): Promise<IteratorResult<T, undefined>> {
    while (items.length === 0 && !isOver) await new Promise<void>((wake) => waiting.push(wake));
    if (items.length > 0) return { done: false, value: items.shift() as T };
    const thrown = failure;
    // The error is thrown once; after it the iterator is done.
    failure = undefined;
    if (thrown) throw thrown;
    return { done: true, value: undefined };
  }

  return {
    push(item) {
      if (isOver) return;
      items.push(item);
      if (!isRead && items.length > MAX_BEFORE_READ) items.shift();
      waiting.shift()?.();
    },
    end(error) {
      if (isOver) return;
      isOver = true;
      failure = error;
      for (const wake of waiting.splice(0)) wake();
    },
    read() {
      isRead = true;
      const iterator: AsyncIterableIterator<T> = { next, [Symbol.asyncIterator]: () => iterator };
      return iterator;
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
