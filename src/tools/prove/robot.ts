// The robot: a player on the client library, which waits, answers, loses its connection now and then, and records all
// messages that it sends and receives. Prove, chaos, system tests and the rehearsal play with it.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { createCall } from '../../client/http.ts';
import type { LiveSocket } from '../../client/live.ts';
import { connectLobby } from '../../client/lobby.ts';
import { openStream } from '../../client/stream.ts';
import type { ClientMessage, ServerMessage } from '../../client/types.ts';
import type { Client } from './history.ts';
import type { Random } from './random.ts';

/** A user with a session. */
export interface Account {
  id: string;
  name: string;
  /** The Cookie header of the user's session. */
  cookie: string;
}

export const TRANSPORTS = ['auto', 'sse', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** How one player connects and plays. */
export interface PlayerManner {
  handshakeTimeoutMs?: number;
  /** Reconnects at this interval, ms, instead of with the client library's backoff. */
  retryMs?: number;
  random: Random;
  /** By what the client library connects. */
  transport: Transport;
  /** @returns the time before an answer, ms; null: the question is not answered */
  thinkMs(): number | null;
  /** Whether each answer is sent twice. The second one changes nothing, and is acknowledged too. */
  asksTwice: boolean;
  /** Asks before each WebSocket whether a proxy lets none through. */
  isBlocked(): boolean;
}

/** Nobody listens there. */
const BLOCKED = 'ws://127.0.0.1:9';
/** The number of a question's options. */
export const OPTIONS = 4;

export type Player = ReturnType<typeof seatPlayer>;

/** Connects to a lobby that the user is a member of, and plays. */
export function seatPlayer(baseUrl: string, user: Account, code: string, manner: PlayerManner) {
  const { random, thinkMs, retryMs, transport, handshakeTimeoutMs: handshakeTimeout = 10_000 } = manner;
  const { id, name, cookie } = user;
  /** What the player sends and receives, as plain data without the session. */
  const client: Client = { user: { id, name }, received: [], asides: [], sent: [], connections: [], failure: null };
  const { record, say, drop } = createRecorder(client);
  const call = createCall({ baseUrl, cookie });
  const address = `${baseUrl.replace(/^http/, 'ws')}/ws`;
  const socketOptions = { headers: { cookie }, handshakeTimeout };
  const lobby = connectLobby({
    code,
    transport,
    openSocket: () => record(new WebSocket(manner.isBlocked() ? BLOCKED : address, socketOptions) as LiveSocket),
    openStream: (last) => record(openStream(call, code, last)),
    ownId: async () => id,
  });
  const answered = new Set<string>();
  const stopped = new AbortController();

  async function answer(questionId: string): Promise<void> {
    const delayMs = thinkMs();
    // A snapshot repeats a question that is answered already.
    if (delayMs === null || answered.has(questionId)) return;
    answered.add(questionId);
    const optionId = random.int(0, OPTIONS - 1);
    await sleep(delayMs, undefined, { signal: stopped.signal });
    void lobby.answer(questionId, optionId);
    if (manner.asksTwice) void lobby.answer(questionId, optionId);
  }

  lobby.on('game:question', ({ question }) => {
    // The sleep rejects when the player is stopped; there is nothing left to do then.
    answer(question.questionId).catch(() => {});
  });
  const wake = () => lobby.status === 'reconnecting' && lobby.wake();
  const retrying = retryMs === undefined ? undefined : setInterval(wake, retryMs);
  lobby.on('end', (error) => {
    if (error) client.failure = { code: error.code, message: error.message };
    clearInterval(retrying);
    stopped.abort();
  });
  return { user, lobby, client, say, drop };
}

/** Records in a client what its sockets and streams bring and take. */
function createRecorder({ received, asides, sent, connections }: Client) {
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
    const life: Client['connections'][0] = { wantedAtMs: Date.now(), openedAtMs: null, closedAtMs: null };
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
    record,
    /** Sends a message that the library itself never sends. It is dropped without a connection. */
    say: (message: ClientMessage) => current?.send(JSON.stringify({ ...message, ref: `say ${++said}` })),
    /** Breaks the connection without a close frame. */
    drop: () => current?.close(),
  };
}
