// The one error of the library, for refusals over HTTP and over a socket. [contract 1, 15]

/** One rejected field of a request. */
export interface FieldError {
  /** The field's path in the request, such as `settings.rounds`; empty for the request as a whole. */
  path: string;
  message: string;
}

/** What a refusal may say besides its status, code and message. */
export interface ApiErrorDetails {
  errors?: FieldError[] | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** The service has refused a request, or could not be reached. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /**
   * The service's code, such as LOBBY_FULL; OFFLINE without a network; COMMITMENT_BROKEN when the
   * right answer is not the one that was promised; UNKNOWN when the answer is not the service's.
   */
  readonly code: string;
  /** The rejected fields, with status 400. */
  readonly errors: FieldError[] | undefined;
  /** Names the request in the service's logs. */
  readonly requestId: string | undefined;
  /** How long to wait before trying again, ms, where the answer says it. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: string, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = details.errors;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the same request may succeed later: the network or the service is away for a while. */
  get isPassing(): boolean {
    return this.code === 'OFFLINE' || (this.status >= 502 && this.status <= 504);
  }
}
