// Connects a program to a lobby: it gives each event once and in order, checks each judgement against its
// commitment, and sends what the player does. What the network loses is sent again: an answer until its round
// is judged, anything else when the connection is back. [contract 5, 11, 12, 15]
import { ApiError } from './api-error.ts';
import { createEventBuffer, createEventDelivery, createListeners } from './events.ts';
import { connectLive, type LiveStatus } from './live.ts';
import type { LobbyConnection, LobbyEvents, LobbyOptions } from './lobby-connection.ts';
import { createOutbox } from './outbox.ts';
import type { ErrorMessage, ServerMessage } from './types.ts';

/** The connection ends with these events. */
const LAST_TYPES: ReadonlySet<string> = new Set(['lobby:closed', 'lobby:kicked']);
/** These refusals confirm to a player who leaves that the lobby is left. */
const LEFT_REASONS: ReadonlySet<string> = new Set(['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'LOBBY_NOT_FOUND']);

/** Connects at once, and stays connected. */
export function connectLobby(options: LobbyOptions): LobbyConnection {
  let status: LiveStatus = 'connecting';
  let isLeaving = false;
  const over = new AbortController();
  const { on, emit } = createListeners<LobbyEvents>();
  const buffer = createEventBuffer<ServerMessage>();
  const delivery = createEventDelivery({
    position: options.position,
    isOver: () => over.signal.aborted,
    onEvent(event) {
      give(event);
      if (LAST_TYPES.has(event.type)) finish();
    },
    onRepeated: (event) => emit('repeated', event),
    onJudged: (questionId) => outbox.noteJudged(questionId),
    onLoss: () => outbox.flush('loss'),
    onFailure: finish,
  });

  const live = connectLive({
    code: options.code,
    last: options.position && { seq: options.position.seq, mark: options.position.mark },
    openSocket: options.openSocket,
    isSignedIn: () => options.isSignedIn(over.signal),
    onEvent: (event) => delivery.deliver(event, live.last()),
    onRefusal(error) {
      delivery.enqueue(() => {
        if (!outbox.handleRefusal(error)) give(error);
      });
    },
    onAck: (ref) => outbox.handleAck(ref),
    onStatus(next) {
      status = next;
      emit('status', next);
      if (next !== 'live') return;
      outbox.flush();
      if (isLeaving) live.wake();
    },
    onEnd: (reason, error) => delivery.enqueue(() => endRefused(reason, error)),
  });
  const outbox = createOutbox({
    transmit: (message, isProbe) => live.send(message, isProbe),
    onAnswered: (questionId) => emit('answered', { questionId }),
  });

  function endRefused(reason: string, error: ErrorMessage | undefined): void {
    if (isLeaving && LEFT_REASONS.has(reason)) {
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

  function finish(error?: ApiError): void {
    if (over.signal.aborted) return;
    over.abort();
    live.stop();
    outbox.stop();
    buffer.end(error);
    emit('end', error ?? null);
  }

  function leave(): Promise<void> {
    isLeaving = true;
    const left = new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve());
      if (over.signal.aborted) resolve();
    });
    outbox.send({ type: 'lobby:leave' });
    // The service doesn't answer `lobby:leave`. A refused probe confirms that the player is out.
    live.wake();
    return left;
  }

  return {
    on,
    [Symbol.asyncIterator]: buffer.read,
    answer: (questionId, optionId) => outbox.answer(questionId, { optionId }),
    answerText: (questionId, text) => outbox.answer(questionId, { text }),
    start: () => outbox.send({ type: 'lobby:start' }),
    next: (round, phase) => outbox.send({ type: 'game:next', round, phase }),
    end: () => outbox.send({ type: 'game:end' }),
    again: () => outbox.send({ type: 'lobby:again' }),
    kick: (userId) => outbox.send({ type: 'lobby:kick', userId }),
    lock: (locked) => outbox.send({ type: 'lobby:lock', locked }),
    configure: (change) => outbox.send({ type: 'lobby:configure', ...change }),
    leave,
    close: () => finish(),
    wake: live.wake,
    get status() {
      return status;
    },
    get position() {
      return delivery.position();
    },
  };
}
