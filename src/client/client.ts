// The client has one typed method for each operation of the service, and connects to lobbies. [contract 15]
import { checkCommitment, createCommitments } from './commitment.ts';
import { type Call, type CookieJar, createCall, createCookieJar, type HttpOptions } from './http.ts';
import type { LiveSocket } from './live.ts';
import { connectLobby } from './lobby.ts';
import type { LobbyConnection, LobbyPosition } from './lobby-connection.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import type { GameSession } from './types.ts';

/** The WebSocket class of a browser, of Node.js, or of the package `ws`. */
export type WebSocketLike = new (
  url: string,
  // biome-ignore lint/suspicious/noExplicitAny: a browser's takes protocols, Node.js's options
  options?: any,
) => { send(text: string): void; close(): void };

/** Which words of a deck or list are listed. */
export type WordsQuery = NonNullable<Parameters<Operations['getWords']>[0]>;

export interface ClientOptions extends HttpOptions {
  /** Node.js 20 has no WebSocket: pass that of the package `ws`. */
  WebSocket?: WebSocketLike | undefined;
}

/** The message of the error that `lobby` throws without a WebSocket; Node.js has one since 22. */
const NO_WEBSOCKET =
  'This program has no WebSocket: npm install ws, then createClient({ baseUrl, WebSocket }) with the WebSocket of that package.';

/** How long an export may take, ms, since a large account is many megabytes. */
const EXPORT_TIMEOUT_MS = 600_000;

/**
 * One method for each operation, which throws an `ApiError` when it is refused, or when there is no network.
 * `answerQuestion`, `startAssignment` and `getGame` check each judgement against its commitment, and throw
 * COMMITMENT_BROKEN. Outside browsers the client stores the cookie that `createGuest` gets.
 */
export interface Client extends Operations {
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
  const methods = methodsOf(call);
  const commitments = createCommitments();
  function noteAll({ sessionId, questions }: GameSession): void {
    for (const question of questions) commitments.note({ ...question, sessionId });
  }

  return {
    ...methods,
    async startGame(request) {
      const session = await methods.startGame(request);
      noteAll(session);
      return session;
    },
    async answerQuestion(request) {
      const result = await methods.answerQuestion(request);
      await commitments.check(result);
      return result;
    },
    async getGame(gameId) {
      const result = await methods.getGame(gameId);
      for (const round of result.rounds) await checkCommitment(round.commitment, round);
      return result;
    },
    async startAssignment(code) {
      const session = await methods.startAssignment(code);
      noteAll(session);
      for (const judged of session.answered) await commitments.check(judged);
      return session;
    },
    lobby: (code, position) =>
      connectLobby({
        code,
        position,
        openSocket: () => openSocket(options, cookies),
        isSignedIn: async (signal) => (await call('GET', '/api/auth/get-session', undefined, { signal })) !== null,
      }),
  };
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** A method takes the parameters of the path, then the query of a GET or the body of another request. */
function methodsOf(call: Call): Operations {
  const methods: Record<string, Method> = {};
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    const [method = '', pattern = ''] = operation.split(' ');
    methods[id] = async (...args) => {
      const path = pattern.replace(/:\w+/g, () => encodeURIComponent(`${args.shift()}`));
      const given = args[0] as object | undefined;
      const limits = id === 'exportAccount' ? { timeoutMs: EXPORT_TIMEOUT_MS } : {};
      return method === 'GET'
        ? call(method, path + search(given), undefined, limits)
        : call(method, path, given ?? (method === 'POST' ? {} : undefined));
    };
  }
  return methods as object as Operations;
}

/** @returns the query as it follows a path, with its question mark, or '' */
function search(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

function openSocket(options: ClientOptions, cookies: CookieJar): LiveSocket {
  const Socket = options.WebSocket ?? (globalThis.WebSocket as WebSocketLike | undefined);
  if (!Socket) throw new Error(NO_WEBSOCKET);
  const url = `${options.baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/ws`;
  const cookie = cookies.header();
  const socket = cookie ? new Socket(url, { headers: { cookie } }) : new Socket(url);
  return socket as LiveSocket;
}
