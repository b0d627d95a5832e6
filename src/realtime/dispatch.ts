// Dispatch parses a frame, runs its handler, and sends an `error` where the handler fails. The connection
// stays open in any case. [contract 5]
import { SpanKind } from '@opentelemetry/api';
import { AppError, type ErrorCode } from '../errors.ts';
import { toAppError } from '../http/problems/problem.ts';
import { inSpan } from '../platform/observability/tracing.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import { validationFailed } from '../validation.ts';
import type { Connection } from './connection.ts';
import type { SocketServices } from './handlers.ts';
import { handleMessage } from './messages.ts';
import { ClientMessage, type ErrorMessage } from './schema.ts';

/** Concurrent joins of all lobbies, and of one; others wait, since each is announced to all members. */
const JOINS_AT_ONCE = { max: 16, maxPerKey: 12 };

/** @returns the handler of a connection's frames, which never throws */
export function createDispatch(deps: SocketServices) {
  const inTurn = createConcurrencyLimit(JOINS_AT_ONCE);
  return async (connection: Connection, text: string | null): Promise<void> => {
    try {
      const message = parse(text);
      const work = async () => {
        // After the peer has disconnected, only `lobby:leave` still has an effect on others. [contract 17]
        if (connection.isGone && message.type !== 'lobby:leave') return;
        await handleMessage(deps, connection, message);
      };
      await inSpan(message.type, { kind: SpanKind.SERVER }, async () => {
        if (message.type !== 'lobby:join') return work();
        // A join waits until the peer has read its last replay, which bounds the replays. [contract 19]
        await connection.taken;
        return inTurn(message.code, work);
      });
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.status >= 500)
        logFailure(deps.logger, 'error', error, 'message failed', { userId: connection.userId });
      connection.refuse(refusal, refOf(text));
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
  const reason: ErrorCode = error.code;
  const fields = (error.errors ?? []).map(({ path, message }) => `${path} ${message}`.trim());
  return {
    type: 'error',
    code: error.status,
    reason,
    message: [error.message, ...fields].join(' '),
    ...(ref === undefined ? {} : { ref }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}
