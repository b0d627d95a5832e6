// The `error` that answers a refused message. [contract 5, 17]
import type { AppError, ErrorCode } from '../errors.ts';
import type { ErrorMessage } from './schema.ts';

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
