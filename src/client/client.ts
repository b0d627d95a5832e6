// The service as a program uses it: one typed method an operation, and lobbies that stay connected.
// [contract 15]
import { checkCommitment, createPromises } from './commitment.ts';
import { createCall, type HttpOptions } from './http.ts';
import type { LiveSocket } from './live.ts';
import { connectLobby, type LobbyConnection, type LobbyPosition } from './lobby.ts';
import type {
  AnswerRequest,
  AnswerResult,
  Calendar,
  CreateLobbyRequest,
  GameList,
  GameRequest,
  GameResult,
  GameSession,
  Guest,
  GuestRequest,
  ListRequest,
  Lobby,
  Progress,
  Vocabulary,
  WordList,
  WordLists,
  WordListWithTerms,
} from './types.ts';

/** A browser's or Node.js's own WebSocket fits, and that of the package `ws`. */
export type WebSocketLike = new (
  url: string,
  // biome-ignore lint/suspicious/noExplicitAny: a browser's takes protocols, Node.js's options
  options?: any,
) => { send(text: string): void; close(): void };

export interface ClientOptions extends HttpOptions {
  /** Node.js 20 has none of its own: give it that of the package `ws`. */
  WebSocket?: WebSocketLike | undefined;
}

/** Every method throws an `ApiError` when it is refused, or when there is no network. */
export interface Client {
  /** Signs a guest in, by the cookie that the reply sets: browsers keep it. */
  createGuest(request: GuestRequest): Promise<Guest>;
  /** What can be asked for. */
  getVocabulary(): Promise<Vocabulary>;
  /** Starts a quiz for one. */
  startGame(request?: GameRequest): Promise<GameSession>;
  /** Answers a question of a quiz for one, and checks the judgement. */
  answerQuestion(request: AnswerRequest): Promise<AnswerResult>;
  /** Creates a lobby; the caller is its host and first player. */
  createLobby(request?: CreateLobbyRequest): Promise<Lobby>;
  /** Makes the caller a member of a lobby; then `lobby(code)` connects to it. */
  joinLobby(code: string): Promise<Lobby>;
  getLobby(code: string): Promise<Lobby>;
  /** What the caller has learned. @param query.timeZone whose days count; UTC's without it */
  getProgress(query?: { timeZone?: string | undefined }): Promise<Progress>;
  /** On which of the last 84 days the caller has learned. @param query as `getProgress`'s */
  getCalendar(query?: { timeZone?: string | undefined }): Promise<Calendar>;
  /** The caller's finished games. @param query.before the `next` of the page before this one */
  listGames(query?: { before?: string | undefined; limit?: number | undefined }): Promise<GameList>;
  /** The stored result of a finished game, its rounds checked. */
  getGame(gameId: string): Promise<GameResult>;
  /** Brings a list of the caller's own. */
  createList(request: ListRequest): Promise<WordList>;
  /** Replaces a list of the caller's own, whole. */
  replaceList(listId: string, request: ListRequest): Promise<WordList>;
  /** The caller's own lists, the last changed first. */
  getLists(): Promise<WordLists>;
  /** A list with its terms, the caller's own or a shared one. */
  getList(listId: string): Promise<WordListWithTerms>;
  deleteList(listId: string): Promise<void>;
  /**
   * Connects to a lobby, at once, and stays connected until it is closed.
   * @param position where another connection ended
   */
  lobby(code: string, position?: LobbyPosition): LobbyConnection;
}

export function createClient(options: ClientOptions): Client {
  const call = createCall(options);
  const promises = createPromises();

  return {
    createGuest: (request) => call('POST', '/api/v1/guests', request),
    getVocabulary: () => call('GET', '/api/v1/vocabulary'),
    async startGame(request = {}) {
      const session = await call<GameSession>('POST', '/api/v1/game/start', request);
      for (const question of session.questions) promises.note(question);
      return session;
    },
    async answerQuestion(request) {
      const result = await call<AnswerResult>('POST', '/api/v1/game/answer', request);
      await promises.check(result);
      return result;
    },
    createLobby: (request = {}) => call('POST', '/api/v1/lobbies', request),
    joinLobby: (code) => call('POST', `/api/v1/lobbies/${encodeURIComponent(code)}/join`, {}),
    getLobby: (code) => call('GET', `/api/v1/lobbies/${encodeURIComponent(code)}`),
    getProgress: (query = {}) => call('GET', `/api/v1/progress${search(query)}`),
    getCalendar: (query = {}) => call('GET', `/api/v1/progress/calendar${search(query)}`),
    listGames: (query = {}) => call('GET', `/api/v1/games${search(query)}`),
    async getGame(gameId) {
      const result = await call<GameResult>('GET', `/api/v1/games/${encodeURIComponent(gameId)}`);
      await checkRounds(result);
      return result;
    },
    createList: (request) => call('POST', '/api/v1/lists', request),
    replaceList: (listId, request) => call('PUT', listPath(listId), request),
    getLists: () => call('GET', '/api/v1/lists'),
    getList: (listId) => call('GET', listPath(listId)),
    deleteList: (listId) => call('DELETE', listPath(listId)),
    lobby: (code, position) =>
      connectLobby({
        code,
        position,
        openSocket: () => openSocket(options),
        isSignedIn: async (signal) =>
          (await call('GET', '/api/auth/get-session', undefined, signal)) !== null,
      }),
  };
}

/** @returns the question mark and what follows it */
function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

const listPath = (listId: string) => `/api/v1/lists/${encodeURIComponent(listId)}`;

/** Of games from before the commitments nothing is known. */
async function checkRounds(result: object): Promise<void> {
  const { rounds = [] } = result as {
    rounds?: { questionId: string; correctOptionId: number; commitment: string; nonce: string }[];
  };
  for (const round of rounds) await checkCommitment(round.commitment, round);
}

function openSocket({ baseUrl, cookie, ...options }: ClientOptions): LiveSocket {
  const Socket = options.WebSocket ?? (globalThis.WebSocket as WebSocketLike);
  const url = `${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/ws`;
  const socket = cookie ? new Socket(url, { headers: { cookie } }) : new Socket(url);
  return socket as LiveSocket;
}
