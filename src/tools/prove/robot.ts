// The robot: a player on the client library, which waits, answers, loses its connection now and then, and records every
// frame that it sends and receives. Everything that plays games uses it: prove, chaos, system tests and the rehearsal.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import {
  type ApiError,
  createClient,
  type FetchLike,
  type LobbyConnection,
  type RequestOptions,
  type ResponseLike,
  type WebSocketLike,
} from '../../client/index.ts';
import type { LiveSocket } from '../../client/live.ts';
import type { ClientMessage, ErrorMessage, ServerMessage } from '../../client/types.ts';
import type { Client, ConnectionTimes, PrivateMessage, Received, Sent } from './history.ts';

/** A user with a session. */
export interface Account {
  id: string;
  name: string;
  /** The Cookie header of the user's session. */
  cookie: string;
}

export interface Player extends Client, Pick<Recorder, 'drop' | 'say'> {
  user: Account;
  lobby: LobbyConnection;
  /** The chosen option id by question id. */
  choices: Map<string, number>;
  /** The error that ended the lobby for this player, or null. */
  failure(): ApiError | null;
  /** Closes the connection. The user stays a member. */
  stop(): void;
}

export interface PlayerOptions {
  /** @returns a number from 0 up to, but not including, 1 */
  random?: () => number;
  /** Whether each answer is sent twice. The second one changes nothing, and is acknowledged too. */
  asksTwice?: boolean;
  handshakeTimeoutMs?: number;
  /** Reconnects at this interval, ms, instead of with the client library's backoff. */
  retryMs?: number;
  /** By what the library connects; `auto` by default. */
  transport?: 'auto' | 'sse' | 'websocket' | undefined;
  /** Asks before each WebSocket whether a proxy lets none through. */
  isBlocked?(): boolean;
}

const OPTIONS = 4;

/**
 * Connects to a lobby that the user is a member of, and plays.
 * @param thinkMs the time before an answer, ms; null: the question is not answered
 */
export function seatPlayer(
  baseUrl: string,
  user: Account,
  code: string,
  thinkMs: () => number | null,
  options: PlayerOptions = {},
): Player {
  const { random = Math.random, asksTwice = false, retryMs, transport = 'auto' } = options;
  const { WebSocket, fetch, ...recorder } = createRecorder(user.cookie, options);
  const lobby = createClient({ baseUrl, cookie: user.cookie, WebSocket, fetch, transport }).lobby(code);
  const choices = new Map<string, number>();
  const stopped = new AbortController();
  const { signal } = stopped;

  async function answer(questionId: string): Promise<void> {
    const delayMs = thinkMs();
    // A snapshot repeats a question that is answered already.
    if (delayMs === null || choices.has(questionId)) return;
    const optionId = Math.floor(random() * OPTIONS);
    choices.set(questionId, optionId);
    await sleep(delayMs, undefined, { signal });
    void lobby.answer(questionId, optionId);
    if (asksTwice) void lobby.answer(questionId, optionId);
  }

  lobby.on('game:question', ({ question }) => {
    // The sleep rejects when the player is stopped; there is nothing left to do then.
    answer(question.questionId).catch(() => {});
  });
  const retrying = retryMs && setInterval(() => lobby.status === 'reconnecting' && lobby.wake(), retryMs);
  let failure: ApiError | null = null;
  lobby.on('end', (error) => {
    failure = error;
    stopped.abort();
  });
  signal.addEventListener('abort', () => clearInterval(retrying));
  return { ...recorder, user, lobby, choices, failure: () => failure, stop: lobby.close };
}

interface Recorder extends Pick<Client, 'received' | 'asides' | 'sent' | 'connections'> {
  /** The class to give to `createClient`. */
  WebSocket: WebSocketLike;
  fetch: FetchLike;
  /** Sends a message that the library itself never sends. It is dropped without a connection. */
  say(message: ClientMessage): void;
  /** Breaks the connection without a close frame. */
  drop(): void;
}

type Reply = Extract<ServerMessage, { type: 'ack' | 'error' }>;

const isReply = (message: ServerMessage): message is Reply => message.type === 'ack' || message.type === 'error';

/** @param cookie the Cookie header of requests by which `say` sends */
function createRecorder(
  cookie: string,
  { handshakeTimeoutMs = 10_000, isBlocked = () => false }: PlayerOptions,
): Recorder {
  const received: Received[] = [];
  const asides: PrivateMessage[] = [];
  const sent: Sent[] = [];
  const connections: ConnectionTimes[] = [];
  /** The library's own `ref` of each sent message. */
  const refs: (string | undefined)[] = [];
  let current: { send(text: string): unknown; terminate(): void } | undefined;

  function noteMessage(message: ServerMessage, connection: number): void {
    const atMs = Date.now();
    if ('seq' in message) received.push({ event: message, atMs, connection });
    else if (isReply(message)) noteReply(message);
    else asides.push({ message, atMs, connection, after: received.length });
  }

  function noteReply(reply: Reply): void {
    const of = sent[Number(reply.ref)];
    if (!of) return;
    of.replies.push(reply.type);
    if (reply.type === 'error') of.refusal = { code: reply.code, reason: reply.reason };
  }

  /** @returns the message with its index as `ref`, which leads each reply to it */
  function noteSent(message: ClientMessage, connection: number): ClientMessage & { ref: string } {
    refs.push(message.ref);
    const named = { ...message, ref: `${sent.length}` };
    sent.push({ message: named, atMs: Date.now(), connection, refusal: null, replies: [] });
    return named;
  }

  class RecordedSocket implements LiveSocket {
    onopen: LiveSocket['onopen'] = null;
    onmessage: LiveSocket['onmessage'] = null;
    onclose: LiveSocket['onclose'] = null;
    onerror: LiveSocket['onerror'] = null;
    readonly #socket: WebSocket;
    readonly #index = connections.length;
    readonly #life: ConnectionTimes = { wantedAtMs: Date.now(), openedAtMs: null, closedAtMs: null };

    constructor(url: string, options?: object) {
      connections.push(this.#life);
      const address = isBlocked() ? BLOCKED : url;
      this.#socket = new WebSocket(address, { ...options, handshakeTimeout: handshakeTimeoutMs });
      current = this;
      this.#socket.on('open', () => {
        this.#life.openedAtMs = Date.now();
        this.onopen?.();
      });
      this.#socket.on('message', (data: Buffer) => {
        // The library has detached its handler from a socket that it has given up.
        if (this.onmessage) this.#receive(JSON.parse(data.toString()) as ServerMessage);
      });
      this.#socket.on('close', (code) => {
        this.#life.closedAtMs ??= Date.now();
        this.onclose?.({ code });
      });
      this.#socket.on('error', () => this.onerror?.());
    }

    #receive(message: ServerMessage): void {
      noteMessage(message, this.#index);
      const heard = isReply(message) ? { ...message, ref: refs[Number(message.ref)] } : message;
      this.onmessage?.({ data: JSON.stringify(heard) });
    }

    send(text: string): void {
      if (this.#socket.readyState !== WebSocket.OPEN) return;
      const named = noteSent(JSON.parse(text) as ClientMessage, this.#index);
      this.#socket.send(JSON.stringify(named), () => {});
    }

    close(): void {
      this.#life.closedAtMs ??= Date.now();
      this.#socket.close();
    }

    terminate(): void {
      this.#socket.terminate();
    }
  }

  /** Reads a stream as the library does, so that what a dropped stream has brought unread is not recorded. */
  async function recordStream(url: string, options: RequestOptions): Promise<ResponseLike> {
    const index = connections.length;
    const life: ConnectionTimes = { wantedAtMs: Date.now(), openedAtMs: null, closedAtMs: null };
    connections.push(life);
    const cutter = new AbortController();
    const signal = AbortSignal.any([options.signal, cutter.signal]);
    signal.addEventListener('abort', () => {
      life.closedAtMs ??= Date.now();
    });
    const messages = url.replace(/\/events.*/, '/messages');
    const headers = { cookie, 'content-type': 'application/json' };
    current = {
      send: (body) => recordPost(messages, { ...options, method: 'POST', headers, body }).catch(() => {}),
      terminate: () => cutter.abort(),
    };
    const response = await fetch(url, { ...options, signal });
    if (!response.body || !response.ok) return response;
    life.openedAtMs = Date.now();
    const { searchParams: query, pathname } = new URL(url);
    const since = query.has('since') ? { since: Number(query.get('since')), mark: query.get('mark') ?? '' } : {};
    const join = noteSent({ type: 'lobby:join', code: pathname.split('/').at(-2) ?? '', ...since }, index);
    noteReply({ type: 'ack', ref: join.ref });
    const reader = response.body.getReader();
    const parse = createEventParser((data) => noteMessage(JSON.parse(data), index));
    const read = async () => {
      const part = await reader.read().catch((error) => {
        life.closedAtMs ??= Date.now();
        throw error;
      });
      if (part.done) life.closedAtMs ??= Date.now();
      else if (!signal.aborted) parse(part.value);
      return part;
    };
    const { ok, status, statusText, headers: sentHeaders } = response;
    return {
      ok,
      status,
      statusText,
      headers: sentHeaders,
      text: async () => '',
      body: { getReader: () => ({ read }) },
    };
  }

  async function recordPost(url: string, options: RequestOptions): Promise<ResponseLike> {
    const { ref } = noteSent(JSON.parse(options.body ?? '{}') as ClientMessage, connections.length - 1);
    const response = await fetch(url, options as RequestInit).catch((error) => {
      // Nobody knows whether a request without a reply has taken effect, as after this refusal.
      noteReply({ type: 'error', code: 503, reason: 'UNAVAILABLE', message: '', ref });
      throw error;
    });
    if (response.ok) noteReply({ type: 'ack', ref });
    else {
      const problem = await response.clone().json();
      const { code: reason, detail: message } = problem as { code: ErrorMessage['reason']; detail: string };
      noteReply({ type: 'error', code: response.status, reason, message, ref });
    }
    return response;
  }

  return {
    received,
    asides,
    sent,
    connections,
    WebSocket: RecordedSocket,
    fetch(url, options) {
      if (/\/events(\?|$)/.test(url)) return recordStream(url, options);
      return url.endsWith('/messages') ? recordPost(url, options) : fetch(url, options as RequestInit);
    },
    say: (message) => current?.send(JSON.stringify(message)),
    drop: () => current?.terminate(),
  };
}

/** Nobody listens there. */
const BLOCKED = 'ws://127.0.0.1:9';

/** @returns a function that takes the bytes of a stream, and calls `onMessage` with the `data:` of each message */
function createEventParser(onMessage: (data: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const { event, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)));
      // The end of a stream has an event of its own.
      if (data !== undefined && !event) onMessage(data);
    }
  };
}
