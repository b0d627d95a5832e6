// Every error that a client can be told about. The code is the contract; status and sentence
// follow from it, here and nowhere else. Thrown anywhere, mapped once an edge: http/problem for HTTP,
// realtime/dispatch for sockets.

/** The status of each, and one sentence as a client may read it where the refusal says no more. */
const CODES = {
  VALIDATION_FAILED: [400, 'The request is not valid.'],
  INVALID_JSON: [400, 'The body is not valid JSON.'],
  UNAUTHENTICATED: [401, 'Sign in first.'],
  FORBIDDEN_ORIGIN: [403, 'Pages of this origin may not do this.'],
  SESSION_FORBIDDEN: [403, 'This session belongs to somebody else.'],
  NOT_A_MEMBER: [403, 'You are not a member of this lobby. Join it first.'],
  NOT_HOST: [403, 'Only the host can do this.'],
  KICKED: [403, 'The host has removed you from this lobby.'],
  ROUTE_NOT_FOUND: [404, 'There is nothing at this address.'],
  SESSION_NOT_FOUND: [404, 'There is no such session, or it is over.'],
  QUESTION_NOT_FOUND: [404, 'This question is not in the session.'],
  LOBBY_NOT_FOUND: [404, 'There is no lobby with this code.'],
  GAME_NOT_FOUND: [404, 'You have played no finished game with this id.'],
  PLAYER_NOT_FOUND: [404, 'There is no such player in the lobby.'],
  LIST_NOT_FOUND: [404, 'There is no such list, or it is not shared with you.'],
  METHOD_NOT_ALLOWED: [405, 'Use POST here.'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  QUESTION_ALREADY_ANSWERED: [409, 'This question is already answered.'],
  LOBBY_FULL: [409, 'The lobby is full (8 of 8 players).'],
  LOBBY_NOT_WAITING: [409, 'The game of this lobby has already started.'],
  LOBBY_NOT_FINISHED: [409, 'The game of this lobby is not over.'],
  LOBBY_LOCKED: [409, 'The host has locked the lobby.'],
  NOT_ENOUGH_PLAYERS: [409, 'At least two of the lobby must be connected.'],
  NOT_IN_LOBBY: [409, 'You are not in a lobby.'],
  NOT_IN_GAME: [409, 'You are not in a running game.'],
  ROUND_CLOSED: [409, 'This question is not open (any more).'],
  ALREADY_ANSWERED: [409, 'You have answered this question; that answer stands.'],
  TOO_MANY_LISTS: [409, 'You have 100 lists, which is as many as there can be.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  NO_MATCHING_TERMS: [422, 'No terms match.'],
  NOT_ENOUGH_TERMS: [422, 'Only 4 terms match.'],
  NOT_ENOUGH_DISTRACTORS: [422, 'There are too few wrong answers to choose from.'],
  UPGRADE_REQUIRED: [426, 'Connect to this address with a WebSocket.'],
  RATE_LIMITED: [429, 'Too many requests. Try again in 300 seconds.'],
  HEADERS_TOO_LARGE: [431, 'The headers are too large.'],
  INTERNAL_ERROR: [500, 'Something went wrong on our side.'],
  UNAVAILABLE: [503, 'A store that this needs is away for the moment. Try again shortly.'],
} as const satisfies Record<string, [status: number, sentence: string]>;

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
  return CODES[code][0];
}

/** @returns what `code` means, to people. */
export function sentenceOf(code: ErrorCode): string {
  return CODES[code][1];
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
   * @param detail one sentence for people where there is more to say than the code's own; never an
   *   input value, a key name or a library's text
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

/** @returns the refusal of a request for what is wrong with these fields of it */
export function invalid(errors: FieldError[]): AppError {
  return new AppError('VALIDATION_FAILED', undefined, { errors });
}
