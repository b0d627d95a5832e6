// The robot: a player on the client library, which waits, answers, loses its connection now and then, and records every
// frame that it sends and receives. Everything that plays games uses it: prove, chaos, system tests and the rehearsal.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type ApiError, createClient, type LobbyConnection, type WebSocketLike } from '../../client/index.ts';
import type { LiveSocket } from '../../client/live.ts';
import type { ClientMessage, ServerMessage } from '../../client/types.ts';
import type { Client, ConnectionTimes, PrivateMessage, Received, Sent } from './history.ts';

/** A user with a session. */
export interface Account {
  id: string;
  name: string;
  /** The Cookie header of the user's session. */
  cookie: string;
}

export interface Player extends Client, Pick<Recorder, 'closeCodes' | 'drop' | 'say'> {
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
  const { random = Math.random, asksTwice = false, handshakeTimeoutMs, retryMs } = options;
  const { WebSocket, ...recorder } = createRecorder(handshakeTimeoutMs);
  const lobby = createClient({ baseUrl, cookie: user.cookie, WebSocket }).lobby(code);
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
  /** The close codes of open connections that the client did not close itself. */
  closeCodes: number[];
  /** Sends a message that the library itself never sends. It is dropped without a connection. */
  say(message: ClientMessage): void;
  /** Breaks the connection without a close frame. */
  drop(): void;
}

type Reply = Extract<ServerMessage, { type: 'ack' | 'error' }>;

const isReply = (message: ServerMessage): message is Reply => message.type === 'ack' || message.type === 'error';

/** @param handshakeTimeoutMs the longest time that opening a connection may take, ms */
function createRecorder(handshakeTimeoutMs = 10_000): Recorder {
  const received: Received[] = [];
  const asides: PrivateMessage[] = [];
  const sent: Sent[] = [];
  const connections: ConnectionTimes[] = [];
  const closeCodes: number[] = [];
  /** The library's own `ref` of each sent message. */
  const refs: (string | undefined)[] = [];
  let current: RecordedSocket | undefined;

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
      const handshakeTimeout = handshakeTimeoutMs;
      this.#socket = new WebSocket(url, { ...options, handshakeTimeout });
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
        if (!this.#life.closedAtMs && this.#life.openedAtMs) closeCodes.push(code);
        this.#life.closedAtMs ??= Date.now();
        this.onclose?.({ code });
      });
      this.#socket.on('error', () => this.onerror?.());
    }

    #receive(message: ServerMessage): void {
      const atMs = Date.now();
      const connection = this.#index;
      if ('seq' in message) received.push({ event: message, atMs, connection });
      else if (isReply(message)) this.#noteReply(message, atMs);
      else asides.push({ message, atMs, connection, after: received.length });
      const heard = isReply(message) ? { ...message, ref: refs[Number(message.ref)] } : message;
      this.onmessage?.({ data: JSON.stringify(heard) });
    }

    #noteReply(reply: Reply, atMs: number): void {
      const of = sent[Number(reply.ref)];
      if (!of) return;
      of.replies.push(reply.type);
      if (reply.type === 'error') of.refusal = { code: reply.code, reason: reply.reason, atMs };
    }

    send(text: string): void {
      if (this.#socket.readyState !== WebSocket.OPEN) return;
      const message = JSON.parse(text) as ClientMessage;
      refs.push(message.ref);
      // The message's index as `ref` leads each error to the message that it refuses.
      const named = { ...message, ref: `${sent.length}` };
      sent.push({ message: named, atMs: Date.now(), connection: this.#index, refusal: null, replies: [] });
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

  return {
    received,
    asides,
    sent,
    connections,
    closeCodes,
    WebSocket: RecordedSocket,
    say: (message) => current?.send(JSON.stringify(message)),
    drop: () => current?.terminate(),
  };
}
