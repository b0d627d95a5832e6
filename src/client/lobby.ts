// A lobby as a program uses it: its events, each once and in order, with every judgement proved, and
// what a player can do. What the network swallows is said again: an answer until its round is judged,
// anything else when the connection is back. [contract 5, 11, 12, 15]
import { ApiError } from './api-error.ts';
import { createPromises, type Promised } from './commitment.ts';
import { createEventBuffer } from './event-buffer.ts';
import type { RequestOptions } from './http.ts';
import {
  connectLive,
  type LiveSocket,
  type LiveStatus,
  type LobbyMessage,
  type Since,
} from './live.ts';
import { createOutbox } from './outbox.ts';
import type { ErrorMessage, LobbyChange, ServerMessage } from './types.ts';

/** Where a later client goes on: plain data, to be kept over a reload, say. */
export interface LobbyPosition extends Since {
  /** What was promised of the open question. */
  promised?: Promised | undefined;
}

/** What can be listened to. */
export type LobbyEvents = {
  [T in ServerMessage['type']]: Extract<ServerMessage, { type: T }>;
} & {
  /** The connection's; `live` after every connect. */
  status: LiveStatus;
  /** An event that was given before, sent again: what remains of its time is true now. */
  repeated: LobbyMessage;
  /** It is over, with the reason why the lobby could not be entered or a judgement not be trusted. */
  end: ApiError | null;
};

export interface LobbyConnection extends AsyncIterable<ServerMessage> {
  /** @returns removes the listener */
  on<T extends keyof LobbyEvents>(type: T, listener: (event: LobbyEvents[T]) => void): () => void;
  /**
   * Reads what came since the beginning and was not read yet; leaving the loop doesn't leave the
   * lobby. Ends after `close`, `leave`, `lobby:closed` and `lobby:kicked`.
   * @throws ApiError when the lobby can't be entered; COMMITMENT_BROKEN
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<ServerMessage>;
  /** Answers the open question; the first answer stands. */
  answer(questionId: string, optionId: number): void;
  /** Starts the game, as the host; all that follows up to `configure` is the host's, too. */
  start(): void;
  /** Ends a phase that is open: this round, or the intermission after it. */
  next(round: number, phase: 'round' | 'intermission'): void;
  /** Ends the game, with the scores so far. */
  end(): void;
  /** Opens a finished lobby for another game with the same players. */
  again(): void;
  /** Removes a player for good. */
  kick(userId: string): void;
  /** Lets nobody else join, or lets them in again. */
  lock(locked: boolean): void;
  /** Changes a waiting lobby; what isn't named stays. */
  configure(change: LobbyChange): void;
  /** Leaves the lobby for good. @returns when the service has confirmed it, and all is closed */
  leave(): Promise<void>;
  /** Ends the connection; the player stays a member of the lobby. */
  close(): void;
  /** The network or the screen is back: reconnects at once, or makes sure that the socket lives. */
  wake(): void;
  readonly status: LiveStatus;
  /** Where a later client goes on: behind the last event that was given. */
  readonly position: LobbyPosition | undefined;
}

export interface LobbyOptions {
  code: string;
  position?: LobbyPosition | undefined;
  openSocket(): LiveSocket;
  /** @param signal ends the asking */
  isSignedIn(signal: RequestOptions['signal']): Promise<boolean>;
}

/** After these nothing comes any more. */
const LAST: ReadonlySet<string> = new Set(['lobby:closed', 'lobby:kicked']);
/** What one who wants to leave may be told instead of "done". */
const OUT: ReadonlySet<string> = new Set(['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'LOBBY_NOT_FOUND']);

/** Connects at once, and stays connected. */
export function connectLobby(options: LobbyOptions): LobbyConnection {
  const listeners = new Map<string, Set<(event: never) => void>>();
  const buffer = createEventBuffer<ServerMessage>();
  const promises = createPromises(options.position?.promised);
  const given = new Map<string, string>();
  const over = new AbortController();
  // What the connection before this one has given.
  if (options.position)
    given.set('lobby:state', `${options.position.seq} ${options.position.mark}`);
  let { position } = options;
  let status: LiveStatus = 'connecting';
  /** A judgement waits for its proof, and what came after it waits for the judgement. */
  let delivered = Promise.resolve();
  let isLeaving = false;

  const live = connectLive({
    code: options.code,
    last: position && { seq: position.seq, mark: position.mark },
    openSocket: options.openSocket,
    isSignedIn: () => options.isSignedIn(over.signal),
    onEvent(event) {
      const at = live.last();
      inOrder(() => deliver(event, at));
    },
    onRefusal: (error) => inOrder(async () => refused(error)),
    onStatus(next) {
      status = next;
      emit('status', next);
      if (next !== 'live') return;
      outbox.flush();
      if (isLeaving) live.wake();
    },
    onEnd: (reason, error) => inOrder(async () => shutOut(reason, error)),
  });
  const outbox = createOutbox((message) => live.send(message));

  function inOrder(step: () => Promise<void>): void {
    delivered = delivered.then(() => (over.signal.aborted ? undefined : step())).catch(finish);
  }

  async function deliver(event: LobbyMessage, at: Since | undefined): Promise<void> {
    if (event.type === 'game:question') promises.note(event.question);
    if (event.type === 'game:answer_result') {
      outbox.judged(event.questionId);
      await promises.check(event);
      if (over.signal.aborted) return;
    }
    if (isOfOtherHistory(event, position)) {
      given.clear();
      outbox.flush('loss');
    }
    position = at && { ...at, promised: promises.last() };
    const identity = identityOf(event);
    if (identity !== null && given.get(event.type) === identity) {
      emit('repeated', event);
      return;
    }
    if (identity !== null) given.set(event.type, identity);
    give(event);
    if (LAST.has(event.type)) finish();
  }

  function refused(error: ErrorMessage): void {
    if (!outbox.isExpected(error)) give(error);
  }

  function shutOut(reason: string, error: ErrorMessage | undefined): void {
    if (isLeaving && OUT.has(reason)) {
      finish();
      return;
    }
    const { code = 401, message = reason, retryAfterMs } = error ?? {};
    if (error) emit('error', error);
    finish(new ApiError(code, reason, message, { retryAfterMs }));
  }

  function give(message: ServerMessage): void {
    buffer.push(message);
    emit(message.type, message as never);
  }

  function emit<T extends keyof LobbyEvents>(type: T, event: LobbyEvents[T]): void {
    for (const listener of listeners.get(type) ?? []) {
      try {
        (listener as (event: LobbyEvents[T]) => void)(event);
      } catch (error) {
        // Its own affair, as a browser's events have it.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  function finish(error?: ApiError): void {
    if (over.signal.aborted) return;
    over.abort();
    live.stop();
    outbox.stop();
    buffer.end(error);
    emit('end', error ?? null);
  }

  return {
    on(type, listener) {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType.add(listener));
      return () => void ofType.delete(listener);
    },
    [Symbol.asyncIterator]: buffer.read,
    answer: outbox.answer,
    start: () => outbox.say({ type: 'lobby:start' }),
    next: (round, phase) => outbox.say({ type: 'game:next', round, phase }),
    end: () => outbox.say({ type: 'game:end' }),
    again: () => outbox.say({ type: 'lobby:again' }),
    kick: (userId) => outbox.say({ type: 'lobby:kick', userId }),
    lock: (locked) => outbox.say({ type: 'lobby:lock', locked }),
    configure: (change) => outbox.say({ type: 'lobby:configure', ...change }),
    leave() {
      isLeaving = true;
      const left = new Promise<void>((resolve) => {
        over.signal.addEventListener('abort', () => resolve());
        if (over.signal.aborted) resolve();
      });
      outbox.say({ type: 'lobby:leave' });
      // The leaver is told nothing; asked again, the service says that we are out.
      live.wake();
      return left;
    },
    close: () => finish(),
    wake: live.wake,
    get status() {
      return status;
    },
    get position() {
      return position;
    },
  };
}

/** @returns whether the service has lost what it told, and an answer maybe; it counts from here */
function isOfOtherHistory(event: LobbyMessage, known: Since | undefined): boolean {
  if (!known || !('seq' in event) || event.seq > known.seq) return false;
  // What older releases sent has no mark.
  return known.mark !== undefined && event.mark !== undefined && event.mark !== known.mark;
}

/** @returns what two messages of one type that tell the same have in common; null: always news */
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
