// The one error of the library, for refusals over HTTP and over a socket. [contract 1, 15]
import type { ErrorMessage } from './types.ts';

/** One rejected field of a request. */
export interface FieldError {
  /** The field's path in the request, such as `settings.rounds`; empty for the request as a whole. */
  path: string;
  message: string;
}

/** What a refusal may say besides its status, code and message. */
export type ApiErrorDetails = Partial<Pick<ApiError, 'errors' | 'requestId' | 'retryAfterMs' | 'cause'>>;

/** The codes that the service publishes. */
export type ErrorCode = ErrorMessage['reason'];

/** The service has refused a request or a message, or could not be reached. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status; 0 when there was no answer. */
  declare readonly status: number;
  /**
   * The service's code, such as LOBBY_FULL, and one of better-auth for accounts. OFFLINE: there is no network, or, in a
   * browser, the service doesn't allow the page's origin. CLOSED: the connection to a lobby was closed before the
   * answer. COMMITMENT_BROKEN: the right answer is not the one that was promised. UNKNOWN: the answer is not the service's.
   */
  declare readonly code: ErrorCode | 'OFFLINE' | 'CLOSED' | 'COMMITMENT_BROKEN' | 'UNKNOWN' | (string & {});
  /** The rejected fields, with status 400. */
  declare readonly errors: FieldError[] | undefined;
  /** Names the request in the service's logs. */
  declare readonly requestId: string | undefined;
  /** How long to wait before trying again, ms, where the answer says it. */
  declare readonly retryAfterMs: number | undefined;

  constructor(status: number, code: ApiError['code'], message: string, details: ApiErrorDetails = {}) {
    super(message);
    Object.assign(this, details, { status, code });
  }

  /** Whether the same request may succeed later: the network or the service is away for a while. */
  get isPassing(): boolean {
    // A proxy may answer instead of the service, such as the sign-in page of a public network.
    return this.code === 'OFFLINE' || [200, 502, 503, 504].includes(this.status);
  }
}
