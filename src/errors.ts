// The errors that clients are told about. A code belongs to the contract, and decides status and sentence. Any function
// may throw an AppError: src/http/problems turns it into an HTTP response, and src/realtime/dispatch.ts into a message.
import { CODES } from './error-codes.ts';

/** A stable, machine-readable error code. [contract 1] */
export type ErrorCode = keyof typeof CODES;

/** All error codes. */
export const ERROR_CODES = Object.keys(CODES) as ErrorCode[];

/** One rejected field of a request. */
export interface FieldError {
  /** The path of the field, `settings.rounds`; empty for the request as a whole. */
  path: string;
  message: string;
}

/** @returns the HTTP status of `code` */
export function statusOf(code: ErrorCode): number {
  return CODES[code][0];
}

/** @returns the sentence that explains `code` to people */
export function sentenceOf(code: ErrorCode): string {
  return CODES[code][1];
}

/** @returns the advice for clients; words of the API are in backticks */
export function adviceOf(code: ErrorCode): string {
  return CODES[code][2];
}

/** What a refusal may have besides its code and its sentence. */
export interface ErrorDetails {
  /** The rejected fields, with 400 only. */
  errors?: FieldError[] | undefined;
  /** How long to wait before another attempt, ms: the header `Retry-After` over HTTP, a field on a socket. */
  retryAfterMs?: number | undefined;
}

/** An error whose text the client gets, so that it must not contain anything secret. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterMs: number | undefined;

  /**
   * @param code the contract's code
   * @param detail a sentence that replaces the code's own; it never has an input value, a key of Redis, or the text of
   *   a library's error
   */
  constructor(
    code: ErrorCode,
    detail: string = sentenceOf(code),
    { errors, retryAfterMs }: ErrorDetails = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** @returns the refusal of a request with invalid fields */
export function invalid(errors: FieldError[]): AppError {
  return new AppError('VALIDATION_FAILED', undefined, { errors });
}
