// The robot: a player on the client library, which waits, answers, loses its connection now and then, and records every
// message that it sends and receives. Everything that plays games uses it: prove, chaos, system tests and the rehearsal.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { createCall } from '../../client/http.ts';
import type { ApiError, LobbyConnection } from '../../client/index.ts';
import type { LiveSocket } from '../../client/live.ts';
import { connectLobby } from '../../client/lobby.ts';
import { openStream } from '../../client/stream.ts';
import type { ClientMessage, ServerMessage } from '../../client/types.ts';
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
  const { handshakeTimeoutMs: handshakeTimeout = 10_000, isBlocked = () => false } = options;
  const { record, ...recorder } = createRecorder();
  const headers = { cookie: user.cookie };
  const call = createCall({ baseUrl, cookie: user.cookie });
  const address = `${baseUrl.replace(/^http/, 'ws')}/ws`;
  const lobby = connectLobby({
    code,
    transport,
    openSocket: () =>
      record(new WebSocket(isBlocked() ? BLOCKED : address, { headers, handshakeTimeout }) as LiveSocket),
    openStream: (last) => record(openStream(call, code, last)),
    ownId: async () => user.id,
  });
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

/** @returns what the player has sent and received, as plain data without the session */
export function recordOf({ user: { id, name }, received, asides, sent, connections }: Player): Client {
  return { user: { id, name }, received, asides, sent, connections };
}

interface Recorder extends Pick<Client, 'received' | 'asides' | 'sent' | 'connections'> {
  /** Records what a socket or stream brings and takes. */
  record(inner: LiveSocket): LiveSocket;
  /** Sends a message that the library itself never sends. It is dropped without a connection. */
  say(message: ClientMessage): void;
  /** Breaks the connection without a close frame. */
  drop(): void;
}

function createRecorder(): Recorder {
  const received: Received[] = [];
  const asides: PrivateMessage[] = [];
  const sent: Sent[] = [];
  const connections: ConnectionTimes[] = [];
  let said = 0;
  let current: Pick<LiveSocket, 'send' | 'close'> | undefined;

  function noteMessage(message: ServerMessage, connection: number): void {
    const atMs = Date.now();
    if ('seq' in message) received.push({ event: message, atMs, connection });
    else if (message.type === 'ack' || message.type === 'error') noteReply(message, connection);
    else asides.push({ message, atMs, connection, after: received.length });
  }

  /** A connection's messages are answered in turn, so that of those with one `ref` the first is meant. */
  function noteReply(reply: Extract<ServerMessage, { type: 'ack' | 'error' }>, connection: number): void {
    const named = sent.filter((one) => one.connection === connection && one.message.ref === reply.ref);
    const of = named.find(({ replies }) => replies.length === 0) ?? named.at(-1);
    of?.replies.push(reply.type);
    if (of && reply.type === 'error') of.refusal = { code: reply.code, reason: reply.reason };
  }

  function record(inner: LiveSocket): LiveSocket {
    const connection = connections.length;
    const life: ConnectionTimes = { wantedAtMs: Date.now(), openedAtMs: null, closedAtMs: null };
    connections.push(life);
    const outer: LiveSocket = {
      ...(inner.silenceMs && { silenceMs: inner.silenceMs }),
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send(text) {
        // A request that is sent before its stream has opened could be lost although the stream then opens.
        if (life.openedAtMs === null || life.closedAtMs !== null) return;
        const message = JSON.parse(text) as ClientMessage;
        sent.push({ message, atMs: Date.now(), connection, refusal: null, replies: [] });
        inner.send(text);
        // A stream has joined when it opens.
        if (inner.silenceMs && message.type === 'lobby:join')
          noteReply({ type: 'ack', ref: message.ref ?? '' }, connection);
      },
      close() {
        life.closedAtMs ??= Date.now();
        inner.close();
      },
    };
    if (inner.terminate) outer.terminate = () => inner.terminate?.();
    inner.onopen = () => {
      life.openedAtMs = Date.now();
      outer.onopen?.();
    };
    inner.onmessage = (message) => {
      // The library has detached its handler from a connection that it has given up.
      if (message.data && !message.isAside && outer.onmessage) noteMessage(JSON.parse(message.data), connection);
      outer.onmessage?.(message);
    };
    inner.onclose = (close) => {
      life.closedAtMs ??= Date.now();
      outer.onclose?.(close);
    };
    inner.onerror = () => outer.onerror?.();
    current = {
      send: outer.send,
      close() {
        if (inner.terminate) return inner.terminate();
        inner.close();
        inner.onclose?.({ code: 1006 });
      },
    };
    return outer;
  }

  return {
    received,
    asides,
    sent,
    connections,
    record,
    say: (message) => current?.send(JSON.stringify({ ...message, ref: `say ${++said}` })),
    drop: () => current?.close(),
  };
}

/** Nobody listens there. */
const BLOCKED = 'ws://127.0.0.1:9';
