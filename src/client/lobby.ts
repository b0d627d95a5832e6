// Connects a program to a lobby: it gives each event once and in order, checks each judgement against its commitment, and
// sends what the player does until the service has it. [contract 5, 11, 12, 15]
import { ApiError } from './api-error.ts';
import { type Commitment, createCommitments } from './commitment.ts';
import type { EventPosition, LiveOptions, LiveStatus, LobbyMessage, Transport } from './live.ts';
import { connectLive } from './live.ts';
import { apiErrorOf, createOutbox, identityOf, LEFT } from './outbox.ts';
import type { ErrorMessage, LobbyChange, ServerMessage } from './types.ts';

/** Plain data from which a later client resumes. */
export interface LobbyPosition extends EventPosition {
  /** The commitment of the open question. */
  commitment?: Commitment | undefined;
}

/** A message of the service that a program gets: one about the lobby, or an error. */
export type LobbyEvent = LobbyMessage | ErrorMessage;

/** The events that `on` listens to, by type. */
export type LobbyEvents = {
  [T in LobbyEvent['type']]: Extract<LobbyEvent, { type: T }>;
} & {
  /** The status of the connection has changed; `live` comes after every connect. */
  status: LiveStatus;
  /** An event that was given before was sent again, with the time that remains now. */
  repeated: LobbyMessage;
  /** The connection has ended: null, or why the lobby can't be entered or a judgement not be trusted. */
  end: ApiError | null;
};

/**
 * What the player does returns a promise, which waits for the service's answer across reconnections, and needn't be
 * awaited. It throws an `ApiError` with the service's refusal, which is an `error` event too; CLOSED if the connection
 * is closed before.
 */
export type LobbyConnection = ReturnType<typeof connectLobby>;

export interface LobbyOptions extends Pick<LiveOptions, 'code' | 'transport' | 'openSocket' | 'openStream'> {
  position?: LobbyPosition | undefined;
  /** @returns the user's id */
  ownId(): Promise<string>;
}

export function connectLobby(options: LobbyOptions) {
  let { position } = options;
  let isLeaving = false;
  let isOver = false;
  /** The last step of the delivery. */
  let delivered = Promise.resolve();
  const events = createEvents();
  const commitments = createCommitments(position?.commitment);
  /** The identity of the last event of each type. */
  let identities: Record<string, string | undefined> = position ? { 'lobby:state': identityOf(position) } : {};

  const live = connectLive({
    ...options,
    last: position,
    onMessage: (message, last) => enqueue(() => deliver(message, last)),
    onStatus(next) {
      events.emit('status', next);
      if (next === 'live') outbox.flush();
    },
    onEnd: (error) =>
      enqueue(() => {
        if (isLeaving && LEFT.includes(error.reason)) return finish();
        events.emit('error', error);
        finish(apiErrorOf(error));
      }),
  });
  const outbox = createOutbox(live.send, options.ownId);

  /** Runs a step after all earlier ones, unless the connection has ended. */
  function enqueue(step: () => void | Promise<void>): void {
    delivered = delivered.then(() => (isOver ? undefined : step())).catch(finish);
  }

  async function deliver(message: ServerMessage, last: EventPosition | undefined): Promise<void> {
    if (message.type === 'game:question') commitments.note(message.question);
    const isTold = outbox.note(message);
    if (message.type === 'game:answer_result') await commitments.check(message);
    if (isOver || !isTold || message.type === 'ack') return;
    if (position && 'seq' in message && message.seq <= position.seq && message.mark !== position.mark) {
      // The service has lost events that the program has, and maybe an answer with them.
      identities = {};
      outbox.repair();
    }
    position = last && { ...last, commitment: commitments.last() };
    const identity = identityOf(message);
    const isRepeated = identity !== undefined && identity === identities[message.type];
    identities[message.type] = identity;
    if (isRepeated) events.emit('repeated', message as LobbyMessage);
    else events.give(message);
    if (message.type === 'lobby:closed' || message.type === 'lobby:kicked') finish();
  }

  function finish(error?: ApiError): void {
    if (isOver) return;
    isOver = true;
    live.stop();
    outbox.stop(error ?? new ApiError(0, 'CLOSED', 'Closed.'));
    events.end(error);
  }

  return {
    /** @returns removes the listener */
    on: events.on,
    /**
     * Reads the events from the beginning on, those that were read already excepted. Leaving the loop doesn't
     * leave the lobby. The loop ends after `close`, `leave`, `lobby:closed` and `lobby:kicked`.
     * @throws ApiError when the lobby can't be entered; COMMITMENT_BROKEN
     */
    [Symbol.asyncIterator]: events.read,
    /**
     * Answers a question as soon as it opens. The first answer counts.
     * @throws ApiError ROUND_CLOSED when the round was judged without this answer
     */
    answer: (questionId: string, optionId: number) => outbox.send({ type: 'game:answer', questionId, optionId }),
    /** Answers a question without `options`, as `answer` does. */
    answerText: (questionId: string, text: string) => outbox.send({ type: 'game:answer', questionId, text }),
    /** Starts the game. Only the host can call this method and the following ones, up to `configure`. */
    start: () => outbox.send({ type: 'lobby:start' }),
    /** Ends an open phase: this round, or the intermission after it. */
    next: (round: number, phase: 'round' | 'intermission') => outbox.send({ type: 'game:next', round, phase }),
    /** Ends the game, with the scores so far. */
    end: () => outbox.send({ type: 'game:end' }),
    /** Opens a finished lobby for another game with the same players. */
    again: () => outbox.send({ type: 'lobby:again' }),
    /** Removes a player for good. */
    kick: (userId: string) => outbox.send({ type: 'lobby:kick', userId }),
    /** Lets nobody else join, or lets others join again. */
    lock: (locked: boolean) => outbox.send({ type: 'lobby:lock', locked }),
    /** Changes a waiting lobby; what isn't named stays. */
    configure: (change: LobbyChange) => outbox.send({ type: 'lobby:configure', ...change }),
    /** Leaves the lobby for good. @returns when the service has confirmed it, and the connection is closed */
    async leave() {
      isLeaving = true;
      await outbox.send({ type: 'lobby:leave' }).catch(() => {});
      finish();
    },
    /** Ends the connection; the player stays a member of the lobby. */
    close: () => finish(),
    /** The network or the screen is back: reconnects without a delay, or probes the connection. */
    wake: live.wake,
    get status() {
      return live.status;
    },
    /** What carries the messages: a stream (`sse`) where no WebSocket gets through. */
    get transport(): Transport {
      return live.transport;
    },
    /** Where a later client resumes: after the last event that was given. */
    get position() {
      return position;
    },
  };
}

/** How many events wait for the first read; beyond it the oldest is removed: the program may only use `on`. */
const MAX_BEFORE_READ = 1000;

/** Gives events to listeners and to iterators. */
function createEvents() {
  /** The platform reports a listener's error as uncaught; it doesn't stop other listeners. */
  const target = new EventTarget();
  /** The error that the iteration ends with comes last. */
  const unread: (LobbyEvent | Error)[] = [];
  let isRead = false;
  let isOver = false;

  function emit<T extends keyof LobbyEvents | 'unread'>(type: T, detail?: LobbyEvents[T & keyof LobbyEvents]): void {
    target.dispatchEvent(new CustomEvent(type, { detail }));
  }

  return {
    on<T extends keyof LobbyEvents>(type: T, listener: (event: LobbyEvents[T]) => void): () => void {
      const listen = (event: Event) => listener((event as CustomEvent<LobbyEvents[T]>).detail);
      target.addEventListener(type, listen);
      return () => target.removeEventListener(type, listen);
    },
    emit,
    give(event: LobbyEvent) {
      unread.push(event);
      if (!isRead && unread.length > MAX_BEFORE_READ) unread.shift();
      emit('unread');
      emit(event.type, event as never);
    },
    end(error?: ApiError) {
      if (error) unread.push(error);
      isOver = true;
      emit('unread');
      emit('end', error ?? null);
    },
    /** Iterates over what was not read yet. Several iterators share the events. */
    async *read(): AsyncIterableIterator<LobbyEvent> {
      for (isRead = true; ; await new Promise((next) => target.addEventListener('unread', next, { once: true }))) {
        while (unread.length > 0) {
          const event = unread.shift() as LobbyEvent | Error;
          if (event instanceof Error) throw event;
          yield event;
        }
        if (isOver) return;
      }
    },
  };
}
