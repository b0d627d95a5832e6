// What a sender is told of a message that was refused. [contract 5, 17]
import type { AppError, ErrorCode } from '../errors.ts';
import type { ErrorMessage } from './schema.ts';

/** @returns the message's `ref` if it has a usable one, whatever else is wrong with it */
export function refOf(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    const { ref } = JSON.parse(text) as { ref?: unknown };
    return typeof ref === 'string' && ref.length >= 1 && ref.length <= 64 ? ref : undefined;
  } catch {
    return undefined;
  }
}

/** @param ref of the message that caused it */
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
