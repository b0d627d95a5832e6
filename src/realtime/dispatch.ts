// Dispatch runs the handler of a message, whether a frame or a request has brought it. A frame with a `ref` is answered
// by an `ack`, and one that is refused by an `error`; the connection stays open in any case. [contract 5, 23]
import { SpanKind } from '@opentelemetry/api';
import { AppError } from '../errors.ts';
import { toAppError } from '../http/problems/problem.ts';
import { inSpan } from '../platform/observability/tracing.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import type { Services } from '../services.ts';
import { validationFailed } from '../validation.ts';
import type { Sender, SocketServices } from './handlers.ts';
import { handleMessage } from './messages.ts';
import { type AckMessage, ClientMessage, type ErrorMessage } from './schema.ts';

/** Concurrent joins of all lobbies, and of one; others wait, since each is announced to all members. */
const JOINS_AT_ONCE = { max: 16, maxPerKey: 12 };

type Dispatch = ReturnType<typeof createDispatch>;

/** @returns a function that carries out a message; it throws one of the refusals in the message's row, or an outage */
export function createDispatch(deps: SocketServices) {
  const inTurn = createConcurrencyLimit(JOINS_AT_ONCE);
  return (sender: Sender, message: ClientMessage): Promise<void> => {
    const work = async () => {
      // After the peer has disconnected, only `lobby:leave` still has an effect on others. [contract 17]
      if (sender.isGone && message.type !== 'lobby:leave') return;
      await handleMessage(deps, sender, message);
    };
    return inSpan(message.type, { kind: SpanKind.SERVER }, async () => {
      if (message.type !== 'lobby:join') return work();
      // A join waits until the peer has read its last replay, which bounds the replays. [contract 19]
      await sender.taken;
      return inTurn(message.code, work);
    });
  };
}

/** A socket, which gets a reply to each of its frames. */
export interface FrameSender extends Sender {
  refuse(error: AppError, ref?: string): void;
}

/** @returns the handler of a socket's frames, which never throws and answers each frame that has a `ref` once */
export function createFrameHandler(dispatch: Dispatch, { logger }: Pick<Services, 'logger'>) {
  return async (socket: FrameSender, text: string | null): Promise<void> => {
    try {
      const message = parse(text);
      await dispatch(socket, message);
      if (message.ref !== undefined)
        socket.send(JSON.stringify({ type: 'ack', ref: message.ref } satisfies AckMessage));
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.status >= 500) logFailure(logger, 'error', error, 'message failed', { userId: socket.userId });
      socket.refuse(refusal, refOf(text));
    }
  };
}

function parse(text: string | null): ClientMessage {
  if (text === null) throw new AppError('INVALID_JSON', 'Send text frames of JSON.');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON', 'The message is not valid JSON.');
  }
  const message = ClientMessage.safeParse(json);
  if (!message.success) throw validationFailed(message.error.issues);
  return message.data;
}

/** @returns the message's `ref` if that is valid, even when the rest of the message is not */
export function refOf(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    const { ref } = JSON.parse(text) as { ref?: unknown };
    return typeof ref === 'string' && ref.length >= 1 && ref.length <= 64 ? ref : undefined;
  } catch {
    return undefined;
  }
}

export function errorMessage(error: AppError, ref: string | undefined): ErrorMessage {
  const fields = (error.errors ?? []).map(({ path, message }) => `${path} ${message}`.trim());
  return {
    type: 'error',
    code: error.status,
    reason: error.code,
    message: [error.message, ...fields].join(' '),
    ...(ref !== undefined && { ref }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  };
}
