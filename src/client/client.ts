// The client has one typed method for each operation of the service, and connects to lobbies. [contract 15]
import { checkCommitment, createCommitments } from './commitment.ts';
import { type CookieJar, createCookieJar } from './cookie-jar.ts';
import { createCall, type HttpOptions } from './http.ts';
import type { LiveSocket } from './live.ts';
import { connectLobby } from './lobby.ts';
import type { LobbyConnection, LobbyPosition } from './lobby-connection.ts';
import type {
  AccountExport,
  AnswerRequest,
  AnswerResult,
  Assignment,
  AssignmentResults,
  Assignments,
  AttemptSession,
  Calendar,
  ChangeAssignmentRequest,
  CreateAssignmentRequest,
  CreateLobbyRequest,
  GameList,
  GameRequest,
  GameResult,
  GameSession,
  Guest,
  GuestRequest,
  Invitation,
  JoinedLobbies,
  ListRequest,
  Lobby,
  PlayerPage,
  Progress,
  Vocabulary,
  WordList,
  WordLists,
  WordListWithTerms,
  WordPage,
} from './types.ts';

/** The WebSocket class of a browser, of Node.js, or of the package `ws`. */
export type WebSocketLike = new (
  url: string,
  // biome-ignore lint/suspicious/noExplicitAny: a browser's takes protocols, Node.js's options
  options?: any,
) => { send(text: string): void; close(): void };

/** Which words of a deck or list are listed. */
export type WordsQuery = Omit<GameRequest, 'questionCount' | 'answerMode' | 'order'> & {
  /** Only the words in this state. */
  state?: WordPage['words'][number]['state'] | 'suspended' | undefined;
  /** How their prompts begin. */
  search?: string | undefined;
  limit?: number | undefined;
  /** The `next` of the page before. */
  after?: string | undefined;
};

export interface ClientOptions extends HttpOptions {
  /** Node.js 20 has no WebSocket: pass that of the package `ws`. */
  WebSocket?: WebSocketLike | undefined;
}

/** The message of the error that `lobby` throws without a WebSocket; Node.js has one since 22. */
const NO_WEBSOCKET =
  'This program has no WebSocket: npm install ws, then createClient({ baseUrl, WebSocket }) with the WebSocket of that package.';

/** How long an export may take, ms, since a large account is many megabytes. */
const EXPORT_TIMEOUT_MS = 600_000;

/** Every method throws an `ApiError` when it is refused, or when there is no network. */
export interface Client {
  /** Signs a guest in with the cookie that the reply sets. Outside browsers the client stores it. */
  createGuest(request?: GuestRequest): Promise<Guest>;
  /**
   * What a code invites to, without a session.
   * @throws ApiError LOBBY_NOT_FOUND if nobody can enter with the code now
   */
  getInvitation(code: string): Promise<Invitation>;
  /** The languages, parts of speech and levels that a quiz can ask. */
  getVocabulary(): Promise<Vocabulary>;
  /** Starts a quiz for one. */
  startGame(request?: GameRequest): Promise<GameSession>;
  /** Answers a question of a quiz for one, and checks the judgement against the commitment. */
  answerQuestion(request: AnswerRequest): Promise<AnswerResult>;
  /** Creates a lobby; the caller is its host and first player. */
  createLobby(request?: CreateLobbyRequest): Promise<Lobby>;
  /** Makes the caller a member of a lobby; then `lobby(code)` connects to it. */
  joinLobby(code: string): Promise<Lobby>;
  /** The lobbies that the caller is a member of, the newest first. */
  getLobbies(): Promise<JoinedLobbies>;
  getLobby(code: string): Promise<Lobby>;
  /** Lists the players of a lobby. @param query.after the `next` of the page before */
  listPlayers(code: string, query?: { limit?: number | undefined; after?: string | undefined }): Promise<PlayerPage>;
  /**
   * Reads what the caller has learned. @param query.timeZone the time zone that separates days; by default
   * UTC
   */
  getProgress(query?: { timeZone?: string | undefined }): Promise<Progress>;
  /** Reads on which of the last 84 days the caller has learned. @param query as for `getProgress` */
  getCalendar(query?: { timeZone?: string | undefined }): Promise<Calendar>;
  /** Lists the words of a deck or list, with what the caller knows of each. */
  getWords(query?: WordsQuery): Promise<WordPage>;
  /** Makes a word that the caller has answered not be due any more. */
  suspendWord(wordId: string): Promise<void>;
  /** Makes a suspended word be due again. */
  resumeWord(wordId: string): Promise<void>;
  /** Lists the caller's finished games. @param query.before the `next` of the page before */
  listGames(query?: { before?: string | undefined; limit?: number | undefined }): Promise<GameList>;
  /** Reads the stored result of a finished game, and checks its rounds against their commitments. */
  getGame(gameId: string): Promise<GameResult>;
  /** Creates a list of the caller's own. */
  createList(request: ListRequest): Promise<WordList>;
  /** Replaces a whole list of the caller's own. */
  replaceList(listId: string, request: ListRequest): Promise<WordList>;
  /** Lists the caller's own lists, the last changed first. */
  getLists(): Promise<WordLists>;
  /** Reads a list with its terms, the caller's own or a shared one. */
  getList(listId: string): Promise<WordListWithTerms>;
  deleteList(listId: string): Promise<void>;
  /** Draws the questions of an assignment, which the caller then owns. */
  createAssignment(request: CreateAssignmentRequest): Promise<Assignment>;
  /** Lists the caller's own assignments, the newest first. @param query.before the `next` of the page before */
  getAssignments(query?: { before?: string | undefined; limit?: number | undefined }): Promise<Assignments>;
  getAssignment(code: string): Promise<Assignment>;
  /** Changes what is given of an assignment of the caller's own. */
  updateAssignment(code: string, change: ChangeAssignmentRequest): Promise<Assignment>;
  /** Deletes an assignment of the caller's own, with all its results. */
  deleteAssignment(code: string): Promise<void>;
  /** Removes somebody from an assignment of the caller's own, with all attempts. */
  deletePerson(code: string, userId: string): Promise<void>;
  /** Removes all guests from an assignment of the caller's own, with their attempts. */
  deleteGuests(code: string): Promise<void>;
  /** Begins an attempt, or gets the open one again; `answerQuestion` answers its questions. */
  startAssignment(code: string): Promise<AttemptSession>;
  /** Reads who has answered what in an assignment of the caller's own. @param query.after the `next` of the page before */
  getAssignmentResults(
    code: string,
    query?: { after?: string | undefined; limit?: number | undefined },
  ): Promise<AssignmentResults>;
  /** Reads all that is stored of the caller, within ten minutes. */
  exportAccount(): Promise<AccountExport>;
  /**
   * Connects to a lobby at once, and stays connected until the connection or the lobby is closed.
   * @param position where another connection ended
   * @throws Error where there is no WebSocket; it says what to pass to `createClient`
   */
  lobby(code: string, position?: LobbyPosition): LobbyConnection;
}

export function createClient(options: ClientOptions): Client {
  const cookies = createCookieJar(options.cookie);
  const call = createCall(options, cookies);
  const commitments = createCommitments();
  function noteAll({ sessionId, questions }: GameSession): void {
    for (const question of questions) commitments.note({ ...question, sessionId });
  }

  return {
    createGuest: (request = {}) => call('POST', '/api/v1/guests', request),
    getInvitation: (code) => call('GET', `/api/v1/invitations/${encodeURIComponent(code)}`),
    getVocabulary: () => call('GET', '/api/v1/vocabulary'),
    async startGame(request = {}) {
      const session = await call<GameSession>('POST', '/api/v1/game/start', request);
      noteAll(session);
      return session;
    },
    async answerQuestion(request) {
      const result = await call<AnswerResult>('POST', '/api/v1/game/answer', request);
      await commitments.check(result);
      return result;
    },
    createLobby: (request = {}) => call('POST', '/api/v1/lobbies', request),
    joinLobby: (code) => call('POST', `${lobbyPath(code)}/join`, {}),
    getLobby: (code) => call('GET', lobbyPath(code)),
    getLobbies: () => call('GET', '/api/v1/lobbies'),
    listPlayers: (code, query = {}) => call('GET', `${lobbyPath(code)}/players${search(query)}`),
    getProgress: (query = {}) => call('GET', `/api/v1/progress${search(query)}`),
    getCalendar: (query = {}) => call('GET', `/api/v1/progress/calendar${search(query)}`),
    getWords: (query = {}) => call('GET', `/api/v1/words${search(query)}`),
    suspendWord: (wordId) => call('PUT', suspensionPath(wordId)),
    resumeWord: (wordId) => call('DELETE', suspensionPath(wordId)),
    listGames: (query = {}) => call('GET', `/api/v1/games${search(query)}`),
    async getGame(gameId) {
      const result = await call<GameResult>('GET', `/api/v1/games/${encodeURIComponent(gameId)}`);
      for (const round of result.rounds) await checkCommitment(round.commitment, round);
      return result;
    },
    createList: (request) => call('POST', '/api/v1/lists', request),
    replaceList: (listId, request) => call('PUT', listPath(listId), request),
    getLists: () => call('GET', '/api/v1/lists'),
    getList: (listId) => call('GET', listPath(listId)),
    deleteList: (listId) => call('DELETE', listPath(listId)),
    createAssignment: (request) => call('POST', '/api/v1/assignments', request),
    getAssignments: (query = {}) => call('GET', `/api/v1/assignments${search(query)}`),
    getAssignment: (code) => call('GET', assignmentPath(code)),
    updateAssignment: (code, change) => call('PATCH', assignmentPath(code), change),
    deleteAssignment: (code) => call('DELETE', assignmentPath(code)),
    deletePerson: (code, userId) => call('DELETE', `${assignmentPath(code)}/people/${encodeURIComponent(userId)}`),
    deleteGuests: (code) => call('DELETE', `${assignmentPath(code)}/people?isGuest=true`),
    async startAssignment(code) {
      const session = await call<AttemptSession>('POST', `${assignmentPath(code)}/start`, {});
      noteAll(session);
      for (const judged of session.answered) await commitments.check(judged);
      return session;
    },
    getAssignmentResults: (code, query = {}) => call('GET', `${assignmentPath(code)}/results${search(query)}`),
    exportAccount: () => call('GET', '/api/v1/account/export', undefined, { timeoutMs: EXPORT_TIMEOUT_MS }),
    lobby: (code, position) =>
      connectLobby({
        code,
        position,
        openSocket: () => openSocket(options, cookies),
        isSignedIn: async (signal) => (await call('GET', '/api/auth/get-session', undefined, { signal })) !== null,
      }),
  };
}

/** @returns the query as it follows a path, with its question mark, or '' */
function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

const lobbyPath = (code: string) => `/api/v1/lobbies/${encodeURIComponent(code)}`;
const assignmentPath = (code: string) => `/api/v1/assignments/${encodeURIComponent(code)}`;
const suspensionPath = (wordId: string) => `/api/v1/words/${encodeURIComponent(wordId)}/suspension`;
const listPath = (listId: string) => `/api/v1/lists/${encodeURIComponent(listId)}`;

function openSocket(options: ClientOptions, cookies: CookieJar): LiveSocket {
  const Socket = options.WebSocket ?? (globalThis.WebSocket as WebSocketLike | undefined);
  if (!Socket) throw new Error(NO_WEBSOCKET);
  const url = `${options.baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/ws`;
  const cookie = cookies.header();
  const socket = cookie ? new Socket(url, { headers: { cookie } }) : new Socket(url);
  return socket as LiveSocket;
}
