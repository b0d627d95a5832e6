// Every refusal, over HTTP or a socket, as one kind of error. [contract 1, 15]

/** One rejected field of a request. */
export interface FieldError {
  /** Where in the request, dotted: `settings.rounds`; empty for the request as a whole. */
  path: string;
  message: string;
}

/** What a refusal says besides its status, code and sentence. */
export interface ApiErrorDetails {
  errors?: FieldError[] | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** What the service refused, or why it could not be asked. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /**
   * The service's code, such as LOBBY_FULL; OFFLINE without a network; COMMITMENT_BROKEN when the
   * right answer is not the one that was promised; UNKNOWN when it was something else that answered.
   */
  readonly code: string;
  /** The rejected fields, with status 400. */
  readonly errors: FieldError[] | undefined;
  /** As in the service's logs. */
  readonly requestId: string | undefined;
  /** How long to wait before trying again, where the answer says it. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: string, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = details.errors;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the same request may succeed later without anybody doing anything. */
  get isPassing(): boolean {
    return this.code === 'OFFLINE' || (this.status >= 502 && this.status <= 504);
  }
}
