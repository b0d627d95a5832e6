// The errors that clients are told about. A code belongs to the contract, and decides status and sentence. Any function
// may throw an AppError: src/http/problems turns it into an HTTP response, and src/realtime/socket.ts into a message.
import { CODES } from './error-codes.ts';

/** A stable, machine-readable error code. [contract 1] */
export type ErrorCode = keyof typeof CODES;

export const ERROR_CODES = Object.keys(CODES) as ErrorCode[];

export interface FieldError {
  /** The path of the field, `settings.rounds`; empty for the request as a whole. */
  path: string;
  message: string;
}

export const statusOf = (code: ErrorCode): number => CODES[code][0];
export const sentenceOf = (code: ErrorCode): string => CODES[code][1];
export const adviceOf = (code: ErrorCode): string => CODES[code][2];

/** The limit that a refused request has exceeded. */
export interface Limit {
  /** How much a window allows. */
  max: number;
  /** What remains of the window, ms. */
  waitMs: number;
}

/** What a refusal may have besides its code and its sentence. */
interface ErrorDetails {
  /** The rejected fields, with 400 only. */
  errors?: FieldError[] | undefined;
  /** How long to wait before another attempt, ms: the header `Retry-After` over HTTP, a field on a socket. */
  retryAfterMs?: number | undefined;
  /** The limit of a RATE_LIMITED, see src/platform/redis/limits.ts; null for a limit without a window. */
  limit?: Limit | null | undefined;
}

/** The codes of refusals that no limiter makes. */
export type UnlimitedCode = Exclude<ErrorCode, 'RATE_LIMITED'>;
type LimitedDetails = Required<Pick<ErrorDetails, 'limit' | 'retryAfterMs'>>;

/** An error whose text the client gets, so that it must not contain anything secret. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterMs: number | undefined;
  readonly limit: Limit | null | undefined;

  /**
   * @param detail a sentence that replaces the code's own; it never has an input value, a key of Redis, or the text of
   *   a library's error
   */
  constructor(code: UnlimitedCode, detail?: string, details?: ErrorDetails);
  constructor(code: 'RATE_LIMITED', detail: string, details: LimitedDetails);
  constructor(code: ErrorCode, detail: string = sentenceOf(code), { errors, retryAfterMs, limit }: ErrorDetails = {}) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
    this.limit = limit;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

export function invalid(errors: FieldError[]): AppError {
  return new AppError('VALIDATION_FAILED', undefined, { errors });
}
