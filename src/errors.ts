// The errors that clients are told about. A code belongs to the contract, and decides status and sentence. Any function
// may throw an AppError: src/http/problems turns it into an HTTP response, and src/realtime/socket.ts into a message.

/**
 * Every error code, as `/docs/errors` shows it. The sentence is the `detail` of an error whose refusal has none of its
 * own. [contract 1]
 */
const CODES = {
  VALIDATION_FAILED: [400, 'The request is not valid.', 'Correct the fields that `errors` names, and send it again.'],
  INVALID_JSON: [400, 'The body is not valid JSON.', 'Send one JSON document in UTF-8.'],
  UNAUTHENTICATED: [401, 'Sign in first.', 'Sign in under `/api/auth`, or as a guest, and send the session cookie.'],
  FORBIDDEN_ORIGIN: [
    403,
    'Pages of this origin may not send this request.',
    'Send it from a page of the service, or ask the operator to add the origin to `CORS_ORIGIN`.',
  ],
  SESSION_FORBIDDEN: [
    403,
    'This session belongs to somebody else.',
    'Use the account that has started the quiz, or start another quiz.',
  ],
  NOT_A_MEMBER: [
    403,
    'You are not a member of this lobby. Join it first.',
    'Join by `POST /api/v1/lobbies/:code/join` first.',
  ],
  NOT_HOST: [403, 'Only the host can do this.', 'Check `hostId` of the lobby: the host may have changed.'],
  ACCOUNT_NEEDED: [
    403,
    'This needs an account.',
    'Sign up or sign in; what the guest has played becomes the account’s.',
  ],
  KICKED: [403, 'The host has removed you from this lobby.', 'Do not try again: the removal is permanent.'],
  ROUTE_NOT_FOUND: [
    404,
    'There is nothing at this address.',
    'Compare the address with `/docs`. Guests may be switched off.',
  ],
  SESSION_NOT_FOUND: [404, 'There is no such session, or it is over.', 'Start another quiz.'],
  QUESTION_NOT_FOUND: [404, 'This question is not in the session.', 'Use a `questionId` of this session.'],
  LOBBY_NOT_FOUND: [
    404,
    'There is no lobby with this code.',
    'Check the code. Wrong codes are counted, and too many are refused.',
  ],
  GAME_NOT_FOUND: [
    404,
    'You have played no finished game with this id.',
    'Wait for `game:finished`; only players can read the result.',
  ],
  PLAYER_NOT_FOUND: [404, 'There is no such player in the lobby.', 'Take the `userId` from the last `lobby:state`.'],
  LIST_NOT_FOUND: [
    404,
    'There is no such list, or it is not shared with you.',
    'Ask the owner to share it, or choose another list.',
  ],
  WORD_NOT_FOUND: [
    404,
    'You have not answered such a word yet.',
    'Take the `wordId` from `GET /api/v1/words`. Only a word that you have answered can be suspended.',
  ],
  ASSIGNMENT_NOT_FOUND: [
    404,
    'There is no assignment with this code, or it is not yours to change.',
    'Check the code. Wrong codes are counted, and too many are refused.',
  ],
  METHOD_NOT_ALLOWED: [
    405,
    'This address does not support this method.',
    'Use a method that the header `Allow` names.',
  ],
  REQUEST_TIMEOUT: [
    408,
    'The request took too long to arrive.',
    'Send a body of up to 64 KiB within 10 seconds, a larger one with at least 16 KiB a second, and the whole request within 30.',
  ],
  QUESTION_ALREADY_ANSWERED: [
    409,
    'This question is already answered.',
    'Continue with the next question. If a reply was lost, this code means that the answer had arrived.',
  ],
  LOBBY_FULL: [409, 'The lobby is full.', 'Wait until somebody leaves, or ask the host to raise `capacity`.'],
  LOBBY_NOT_WAITING: [
    409,
    'The game of this lobby has already started.',
    'Wait until the host opens the lobby again. With `lateJoin` a lobby can be joined during a game.',
  ],
  LOBBY_NOT_FINISHED: [
    409,
    'The game of this lobby is not over.',
    'Wait for `game:finished`, or for `lobby:state` if a rematch has begun.',
  ],
  LOBBY_LOCKED: [409, 'The host has locked the lobby.', 'Ask the host to unlock it.'],
  NOT_ENOUGH_PLAYERS: [
    409,
    'At least two players of the lobby must be connected.',
    'Wait until `lobby:state` shows another player as connected.',
  ],
  NOT_IN_LOBBY: [409, 'You are not in a lobby.', 'Send `lobby:join` on this socket first.'],
  NOT_IN_GAME: [
    409,
    'You are not in a running game.',
    'Wait for `game:question`. A presenting host and players who have left can’t answer.',
  ],
  ROUND_CLOSED: [
    409,
    'This question is not open.',
    'Wait for the next message of the game, or send `game:ready` to get the open question.',
  ],
  ALREADY_ANSWERED: [
    409,
    'You have already answered this question, and that answer counts.',
    'Wait for the `game:answer_result`.',
  ],
  TOO_MANY_LISTS: [409, 'You already have the highest allowed number of lists.', 'Delete a list first.'],
  LISTS_TOO_LARGE: [409, 'All your lists together would be too large.', 'Delete or shorten a list first.'],
  TOO_MANY_ASSIGNMENTS: [
    409,
    'You already have the highest allowed number of assignments.',
    'Delete an assignment first.',
  ],
  ASSIGNMENT_NOT_OPEN: [409, 'This assignment is not open yet.', 'Start it again from `opensAt` on.'],
  ASSIGNMENT_CLOSED: [
    409,
    'This assignment is closed.',
    'Ask its owner to move `closesAt`. What was answered before counts.',
  ],
  ASSIGNMENT_FULL: [
    409,
    'This assignment has as many people as it can have.',
    'Ask its owner to remove people, or to set another assignment. With an account one is not refused for guests.',
  ],
  NO_ATTEMPTS_LEFT: [409, 'You have no attempts left.', 'Ask the owner of the assignment to raise `attempts`.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is too large.', 'Send at most 64 KiB, or 4 MiB for a list.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json.', 'Set `content-type: application/json`.'],
  NO_MATCHING_TERMS: [422, 'No terms match.', 'Choose a deck from `GET /api/v1/vocabulary`.'],
  NOT_ENOUGH_TERMS: [
    422,
    'Too few terms match for this number of questions.',
    'Ask for at most as many questions as `detail` says, or choose a larger deck.',
  ],
  NOT_ENOUGH_DISTRACTORS: [
    422,
    'There are too few wrong answers to choose from.',
    'Choose a larger deck, or add terms to the list.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'This Idempotency-Key was sent with another body.',
    'Use a new key for each request, and the same one only to repeat it.',
  ],
  UPGRADE_REQUIRED: [426, 'Connect to this address with a WebSocket.', 'Use a WebSocket client.'],
  RATE_LIMITED: [
    429,
    'Too many requests. Try again later.',
    'Wait as long as `Retry-After` says, on a socket as long as `retryAfterMs` says.',
  ],
  HEADERS_TOO_LARGE: [431, 'The headers are too large.', 'Send fewer or shorter headers and cookies.'],
  INTERNAL_ERROR: [
    500,
    'Something went wrong on our side.',
    'Try again later, and report the `requestId` to the operator.',
  ],
  UNAVAILABLE: [
    503,
    'The service can’t handle this request at the moment. Try again shortly.',
    'Send it again after `Retry-After`, and increase the pause with each attempt.',
  ],
} as const satisfies Record<string, [status: number, sentence: string, advice: string]>;

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
