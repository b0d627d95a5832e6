// The client library, for browsers and Node.js, has one typed method for each operation of the service, and connects to
// lobbies. README.md beside this file shows how it is used. [contract 15]
import type { ApiError } from './api-error.ts';
import { checkCommitment, createCommitments } from './commitment.ts';
import { type Call, type CallLimits, createCall, createCookieJar, type HttpOptions } from './http.ts';
import type { LiveSocket, Transport } from './live.ts';
import { connectLobby, type LobbyConnection, type LobbyPosition } from './lobby.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import { openStream } from './stream.ts';
import type { GameSession } from './types.ts';

export { ApiError, type ApiErrorDetails, type ErrorCode, type FieldError } from './api-error.ts';
export type { CallOptions, FetchLike, HttpOptions, RequestOptions, ResponseLike } from './http.ts';
export type { EventPosition, LiveStatus, Transport } from './live.ts';
export type { LobbyConnection, LobbyEvent, LobbyEvents, LobbyPosition } from './lobby.ts';
export type * from './types.ts';

/** The WebSocket class of a browser, of Node.js, or of the package `ws`. */
export type WebSocketLike = new (
  url: string,
  // biome-ignore lint/suspicious/noExplicitAny: a browser's takes protocols, Node.js's options
  options?: any,
) => { send(text: string): void; close(): void };

export interface ClientOptions extends HttpOptions {
  /** Node.js 20 has no WebSocket: pass that of the package `ws`, or lobbies use streams. */
  WebSocket?: WebSocketLike | undefined;
  /** By default, `auto`: a WebSocket, and a stream over `fetch` (`sse`) when two have failed while HTTP answers. */
  transport?: Transport | 'auto' | undefined;
}

/** How long an export may take, ms, since a large account is many megabytes. */
const EXPORT_TIMEOUT_MS = 600_000;

/**
 * One method for each operation, which throws an `ApiError` when it is refused, or when there is no network.
 * `answerQuestion`, `startAssignment` and `getGame` check each judgement against its commitment, and throw
 * COMMITMENT_BROKEN. Outside browsers the client stores the cookie that `createGuest` gets.
 */
export interface Client extends Operations {
  /** Connects to a lobby until the connection or the lobby is closed. @param position where another connection ended */
  lobby(code: string, position?: LobbyPosition): LobbyConnection;
  /** The cookies as they stand, as a `cookie` header has them; undefined in a browser, which stores its own. */
  readonly cookie: string | undefined;
}

export function createClient(options: ClientOptions): Client {
  const cookies = createCookieJar(options.cookie);
  const call = createCall(options, cookies);
  const methods = methodsOf(call);
  const commitments = createCommitments();
  /** The keys of the answers whose replies were lost, by their requests: who calls again gets the reply. */
  const keys = new Map<string, string>();
  function noted<Session extends GameSession>(session: Session): Session {
    const { sessionId, questions } = session;
    for (const question of questions) commitments.note({ ...question, sessionId });
    return session;
  }

  return {
    ...methods,
    startGame: async (...request) => noted(await methods.startGame(...request)),
    async answerQuestion(request, options) {
      const text = JSON.stringify(request);
      const key = keys.get(text) ?? Math.random().toString(36).slice(2);
      keys.set(text, key);
      const limits: CallLimits = { signal: options?.signal, headers: { 'idempotency-key': key } };
      const result = await methods.answerQuestion(request, limits).catch((error: ApiError) => {
        if (!error.isPassing) keys.delete(text);
        throw error;
      });
      keys.delete(text);
      await commitments.check(result);
      return result;
    },
    async getGame(...request) {
      const result = await methods.getGame(...request);
      for (const round of result.rounds) await checkCommitment(round.commitment, round);
      return result;
    },
    async startAssignment(...request) {
      const session = noted(await methods.startAssignment(...request));
      for (const judged of session.answered) await commitments.check(judged);
      return session;
    },
    lobby(code, position) {
      const Socket = options.WebSocket ?? (globalThis.WebSocket as WebSocketLike);
      return connectLobby({
        code,
        position,
        transport: Socket ? (options.transport ?? 'auto') : 'sse',
        openSocket() {
          const url = `${options.baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/ws`;
          const cookie = cookies.header();
          return (cookie ? new Socket(url, { headers: { cookie } }) : new Socket(url)) as LiveSocket;
        },
        openStream: (last) => openStream(call, code, last),
        ownId: async () => (await call<{ user: { id: string } }>('GET', '/api/auth/get-session')).user.id,
      });
    },
    get cookie() {
      return cookies.header();
    },
  };
}

/** A method takes the parameters of the path, then the query of a GET or the body of another request, then options. */
function methodsOf(call: Call): Operations {
  const methods: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    const [method = '', pattern = ''] = operation.split(' ');
    methods[id] = async (...args) => {
      const last = args.at(-1);
      const limits = {
        ...(last instanceof Object && 'signal' in last ? (args.pop() as CallLimits) : undefined),
        ...(id === 'exportAccount' && { timeoutMs: EXPORT_TIMEOUT_MS }),
      };
      const path = `/api/v1/${pattern.replace(/:\w+/g, () => encodeURIComponent(`${args.shift()}`))}`;
      const given = args[0] as object | undefined;
      if (method !== 'GET') return call(method, path, given ?? (method === 'POST' ? {} : undefined), limits);
      // JSON leaves undefined fields out.
      const search = `${new URLSearchParams(JSON.parse(JSON.stringify(given ?? {})))}`;
      return call(method, search ? `${path}?${search}` : path, undefined, limits);
    };
  }
  return methods as object as Operations;
}
