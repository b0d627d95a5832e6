// Every error that a client can be told about. The code is the contract; status and title follow
// from it, here and nowhere else. Thrown anywhere, mapped once an edge: http/problem for HTTP,
// realtime/dispatch for sockets.

const CODES = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN_ORIGIN: 403,
  SESSION_FORBIDDEN: 403,
  NOT_A_MEMBER: 403,
  NOT_HOST: 403,
  KICKED: 403,
  ROUTE_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  QUESTION_NOT_FOUND: 404,
  LOBBY_NOT_FOUND: 404,
  GAME_NOT_FOUND: 404,
  PLAYER_NOT_FOUND: 404,
  LIST_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  QUESTION_ALREADY_ANSWERED: 409,
  LOBBY_FULL: 409,
  LOBBY_NOT_WAITING: 409,
  LOBBY_NOT_FINISHED: 409,
  LOBBY_LOCKED: 409,
  NOT_ENOUGH_PLAYERS: 409,
  NOT_IN_LOBBY: 409,
  NOT_IN_GAME: 409,
  ROUND_CLOSED: 409,
  ALREADY_ANSWERED: 409,
  TOO_MANY_LISTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  NO_MATCHING_TERMS: 422,
  NOT_ENOUGH_TERMS: 422,
  NOT_ENOUGH_DISTRACTORS: 422,
  UPGRADE_REQUIRED: 426,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** A stable, machine-readable error code. [contract 1] */
export type ErrorCode = keyof typeof CODES;

/** All error codes, for the published API descriptions. */
export const ERROR_CODES = Object.keys(CODES) as ErrorCode[];

/** One rejected field of a request. */
export interface FieldError {
  /** Where in the request, dotted: `settings.rounds`; empty for the request as a whole. */
  path: string;
  message: string;
}

/** @returns the HTTP status that `code` stands for. */
export function statusOf(code: ErrorCode): number {
  return CODES[code];
}

/** @returns the RFC 9110 reason phrase of `status`. */
export function titleOf(status: number): string {
  return TITLES[status] ?? 'Error';
}

/** What a refusal says besides its code and its sentence. */
export interface ErrorDetails {
  /** The rejected fields, with 400 only. */
  errors?: FieldError[] | undefined;
  /** How long to wait before trying again: `Retry-After` over HTTP, a field over a socket. */
  retryAfterMs?: number | undefined;
}

/** A failure that the client is told about in full: its text must hold nothing secret. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterMs: number | undefined;

  /**
   * @param code the contract's code
   * @param detail one sentence for people; never an input value, a key name or a library's text
   */
  constructor(code: ErrorCode, detail: string, { errors, retryAfterMs }: ErrorDetails = {}) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number {
    return CODES[this.code];
  }
}
