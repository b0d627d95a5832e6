// The table of budgets: what a client can make the service hold or do is a row here, with a bound. The code takes each
// number from its row, the table in .github/THREATS.md is made from the rows, and test/project/budgets.test.ts names for
// each row the file that enforces it and the tests that exceed it. [contract 17]
import type { ErrorCode } from './errors.ts';

/** The kind of those that have such a budget, each of its own. */
type Who = Person | 'address' | 'assignment' | 'lobby' | 'mailbox' | 'replica' | 'request' | 'socket';
type Person = 'account' | 'guest' | 'user';
/** The unit of a bound; none where `what` is counted. A window is `RATE_LIMIT_WINDOW_MS`. */
type Unit = '' | 'bytes' | 'bytes a second' | 'a second' | 'a window' | 'characters' | 'days' | 'minutes' | 'seconds';

export type Budget = ReturnType<typeof row>;

/**
 * @param setting the variable of the environment that changes the bound, whose default is `max`
 * @param beyond the code of the refusal beyond the bound, or a sentence on what happens instead
 */
function row<const Max extends number>(
  who: Who,
  what: string,
  where: 'memory' | 'Redis' | 'PostgreSQL' | 'both stores',
  [max, unit = '', setting]: [max: Max, unit?: Unit, setting?: string],
  beyond: ErrorCode | `${string} ${string}`,
) {
  return { who, what, where, max, unit, beyond, setting };
}

const KIB = 1024;
const MIB = 1024 * KIB;

// biome-ignore format: a table has a line for each row
export const BUDGETS = {
  // Requests
  body: row('request', 'a body', 'memory', [64 * KIB, 'bytes'], 'PAYLOAD_TOO_LARGE'),
  listBody: row('request', 'a list’s body', 'memory', [4_194_304, 'bytes'], 'PAYLOAD_TOO_LARGE'),
  smallBody: row('request', 'the arrival of a body of up to 64 KiB', 'memory', [10, 'seconds'], 'REQUEST_TIMEOUT'),
  bodyRate: row('request', 'the rate of a larger body, over 5 seconds', 'memory', [16 * KIB, 'bytes a second'], 'REQUEST_TIMEOUT'),
  bodiesOfUser: row('user', 'arrived bodies over 64 KiB', 'memory', [8 * MIB, 'bytes'], 'RATE_LIMITED'),
  bodiesOfReplica: row('replica', 'arrived bodies over 64 KiB', 'memory', [32 * MIB, 'bytes'], 'UNAVAILABLE'),
  readsOfUser: row('user', 'replies that are made at once', 'memory', [3], 'the others wait'),
  readsOfAddress: row('address', 'replies that are made at once', 'memory', [6], 'the others wait'),
  repliesOfUser: row('user', 'unread replies over 64 KiB', 'memory', [8 * MIB, 'bytes'], 'UNAVAILABLE'),
  repliesOfAddress: row('address', 'unread replies over 64 KiB', 'memory', [16 * MIB, 'bytes'], 'UNAVAILABLE'),
  repliesOfReplica: row('replica', 'unread replies over 64 KiB', 'memory', [64 * MIB, 'bytes'], 'UNAVAILABLE'),
  replyRate: row('request', 'the rate at which a large reply is taken, over 30 seconds', 'memory', [16 * KIB, 'bytes a second'], 'the connection is cut'),
  replyPart: row('request', 'a part of a reply that is written at once', 'memory', [64 * KIB, 'bytes'], 'the rest waits'),

  // Requests and attempts in a window
  gameRequests: row('user', 'requests of the game', 'Redis', [150, 'a window', 'RATE_LIMIT_GAME_MAX'], 'RATE_LIMITED'),
  authRequests: row('address', 'sign-ins and other requests for accounts', 'both stores', [20, 'a window', 'RATE_LIMIT_AUTH_MAX'], 'RATE_LIMITED'),
  exports: row('user', 'exports', 'Redis', [5, 'a window', 'RATE_LIMIT_EXPORT_MAX'], 'RATE_LIMITED'),
  codeMisses: row('user', 'wrong codes', 'Redis', [10, 'a window', 'RATE_LIMIT_CODE_MISS_MAX'], 'RATE_LIMITED'),
  codeMissesOfAddress: row('address', 'wrong codes, in those of a user; as many again without a session', 'Redis', [100], 'RATE_LIMITED'),
  failedPasswords: row('mailbox', 'failed passwords', 'Redis', [50, 'a window', 'RATE_LIMIT_ACCOUNT_MAX'], 'RATE_LIMITED'),
  secondFactorMisses: row('account', 'wrong second factors in 15 minutes', 'Redis', [10], 'RATE_LIMITED'),
  mails: row('mailbox', 'mails', 'Redis', [5, 'a window', 'RATE_LIMIT_MAIL_MAX'], 'the mail is not sent'),

  // Sockets and streams
  socketsOfUser: row('user', 'sockets and streams, on all replicas', 'Redis', [20, '', 'SOCKETS_PER_USER_MAX'], 'RATE_LIMITED'),
  socketsOfAddress: row('address', 'sockets and streams, on each replica', 'memory', [2000, '', 'SOCKETS_PER_ADDRESS_MAX'], 'RATE_LIMITED'),
  message: row('socket', 'a message', 'memory', [16 * KIB, 'bytes'], 'the socket is closed'),
  messages: row('socket', 'messages', 'memory', [20, 'a second'], 'RATE_LIMITED'),
  messageBurst: row('socket', 'messages at once', 'memory', [40], 'RATE_LIMITED'),
  waitingMessages: row('socket', 'messages that wait', 'memory', [40], 'RATE_LIMITED'),
  messagesOfUser: row('user', 'messages by requests', 'Redis', [20, 'a second'], 'RATE_LIMITED'),
  messageBurstOfUser: row('user', 'messages by requests at once', 'Redis', [40], 'RATE_LIMITED'),
  streamLife: row('user', 'the life of a stream', 'memory', [60, 'seconds'], 'its client reconnects'),
  unreadBytes: row('socket', 'what its peer has not taken', 'memory', [MIB, 'bytes'], 'the socket is cut'),
  replayChunk: row('socket', 'a part of a replay that its peer has not taken', 'memory', [64 * KIB, 'bytes'], 'the replay waits'),

  // Quizzes, lobbies and games
  liveQuizzes: row('user', 'live quizzes', 'Redis', [20], 'the oldest ends'),
  guestsQuizzes: row('address', 'live quizzes of guests who were created from there', 'Redis', [32 * MIB, 'bytes'], 'the oldest of the guest with most ends'),
  quizLife: row('user', 'the life of a quiz', 'Redis', [3600, 'seconds', 'SESSION_TTL_SECONDS'], 'the quiz ends'),
  quizQuestions: row('user', 'questions of a quiz or an assignment', 'both stores', [50], 'VALIDATION_FAILED'),
  acceptedTexts: row('request', 'accepted texts of a typed question, beside the asked one', 'both stores', [400, 'bytes'], 'further ones are not accepted'),
  answerKeys: row('user', 'keys of answers in quizzes, each for 60 seconds', 'Redis', [200], 'the oldest are forgotten'),
  lobbies: row('user', 'new lobbies and other requests for lobbies', 'both stores', [20, 'a window', 'RATE_LIMIT_LOBBY_MAX'], 'RATE_LIMITED'),
  idleLobby: row('lobby', 'the wait for a connected member', 'both stores', [7200, 'seconds', 'LOBBY_IDLE_TTL_SECONDS'], 'the lobby is deleted'),
  lobbyPlayers: row('lobby', 'players', 'both stores', [1000], 'LOBBY_FULL'),
  gameRounds: row('lobby', 'rounds of its game', 'both stores', [50], 'VALIDATION_FAILED'),
  gameStarts: row('user', 'started games, whose results stay', 'PostgreSQL', [150, 'a window', 'RATE_LIMIT_GAME_MAX'], 'RATE_LIMITED'),
  lobbyLog: row('lobby', 'its log', 'Redis', [4 * MIB, 'bytes'], 'the oldest events go'),
  logsOfHost: row('user', 'the logs of all lobbies that the user created', 'Redis', [8 * MIB, 'bytes'], 'the oldest events of the longest logs go'),
  logsOfAddress: row('address', 'the logs of all lobbies created from there', 'Redis', [64 * MIB, 'bytes'], 'events of the host with most go'),
  lobbyLogLife: row('lobby', 'the life of its log after the last event', 'Redis', [11, 'minutes'], 'the log expires'),

  // Lists and assignments
  lists: row('user', 'own lists', 'PostgreSQL', [100], 'TOO_MANY_LISTS'),
  listsOfAccount: row('account', 'own lists', 'PostgreSQL', [8 * MIB, 'bytes'], 'LISTS_TOO_LARGE'),
  listsOfGuest: row('guest', 'own lists', 'PostgreSQL', [MIB, 'bytes'], 'LISTS_TOO_LARGE'),
  listPools: row('replica', 'the words of lists', 'memory', [64 * MIB, 'bytes'], 'the least recently used go'),
  listLoads: row('replica', 'lists that are loaded at once', 'memory', [2], 'the others wait'),
  assignments: row('account', 'own assignments', 'PostgreSQL', [200], 'TOO_MANY_ASSIGNMENTS'),
  people: row('assignment', 'people who have begun it', 'PostgreSQL', [2000], 'ASSIGNMENT_FULL'),
  guestPeople: row('assignment', 'guests among these', 'PostgreSQL', [1000], 'ASSIGNMENT_FULL'),
  attempts: row('user', 'attempts of an assignment', 'PostgreSQL', [10], 'NO_ATTEMPTS_LEFT'),

  // Guests and accounts
  guests: row('address', 'guests', 'PostgreSQL', [60, 'a window', 'RATE_LIMIT_GUEST_MAX'], 'RATE_LIMITED'),
  guestsByCode: row('address', 'guests by codes', 'PostgreSQL', [2000, 'a window'], 'RATE_LIMITED'),
  guestsOfPlace: row('address', 'guests by the code of a lobby, for each place', 'PostgreSQL', [2, 'a window'], 'they count as guests without a code'),
  guestsOfAssignment: row('address', 'guests by the code of an assignment', 'PostgreSQL', [300, 'a window'], 'they count as guests without a code'),
  unconfirmed: row('account', 'the life without a confirmed address', 'PostgreSQL', [7, 'days'], 'the account is deleted'),
  signUps: row('mailbox', 'sign-ups that nobody has confirmed', 'PostgreSQL', [20], 'the oldest go'),
  passkeys: row('account', 'passkeys', 'PostgreSQL', [20], 'TOO_MANY_PASSKEYS (400)'),
  sessionLife: row('user', 'the life of a session', 'both stores', [90, 'days'], 'the session ends'),
  userAgent: row('user', 'the User-Agent of a session', 'both stores', [300, 'characters'], 'the rest is dropped'),
};

export type BudgetName = keyof typeof BUDGETS;
