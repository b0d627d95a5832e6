// The parts of a connection that write to its socket: ending it in bounded time, sending within a bound on waiting
// bytes, and pinging. They are classes because closures would be most of the memory of an idle socket. [contract 5, 17]

import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { BUDGETS } from '../budgets.ts';
import { realtimeMetrics } from './metrics.ts';

/** How long the closing handshake may take, ms; beyond it the connection is terminated. [contract 17] */
const CLOSE_TIMEOUT_MS = 3000;

/**
 * How long a peer that is no longer read may take to read the reason, ms; beyond it the connection is
 * terminated. It counts in the quotas for that time, so that the peer can't reconnect at once.
 */
const LINGER_MS = 2500;

export const CLOSE_CODES = { policy: 1008, restart: 1012, signedOut: 4401 } as const;

/** This is a class because closures would be most of the memory of an idle socket. */
export class SocketEnd {
  isClosing = false;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Starts the closing handshake. */
  close(code: number, reason: string): void {
    this.isClosing = true;
    this.#socket.close(code, reason);
    this.#terminateAfter(CLOSE_TIMEOUT_MS);
  }

  /** Stops reading a client that floods, and closes when its accepted messages are handled. */
  closeFlood(handled: Promise<void>): void {
    realtimeMetrics.closures.inc({ reason: 'flood' });
    this.#stopReading();
    this.#terminateAfter(CLOSE_TIMEOUT_MS);
    void handled.then(() => {
      this.#socket.close(CLOSE_CODES.policy, 'too many messages');
      this.#terminateAfter(LINGER_MS);
    });
  }

  /** Stops reading a peer to which the reason was sent already. */
  abandon(): void {
    this.#stopReading();
    this.#terminateAfter(LINGER_MS);
  }

  /** Terminates without a closing handshake, in which such a peer would not take part. */
  terminate(reason: 'silent' | 'slow_reader'): void {
    realtimeMetrics.closures.inc({ reason });
    this.#socket.terminate();
  }

  /** Backpressure leaves what the peer still sends in its own buffers. */
  #stopReading(): void {
    this.isClosing = true;
    for (const kind of ['message', 'ping', 'pong']) this.#socket.removeAllListeners(kind);
    this.#socket.pause();
  }

  #terminateAfter(delayMs: number): void {
    setTimeout(() => this.#socket.terminate(), delayMs).unref();
  }
}

let corked: Duplex[] = [];

function corkForTurn(stream: Duplex): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  if (corked.push(stream) === 1) setImmediate(uncorkAll);
}

function uncorkAll(): void {
  const streams = corked;
  corked = [];
  for (const stream of streams) stream.uncork();
}

/** How many bytes of a replay are sent at once; a larger message is sent alone. [contract 19] */
export const CHUNK_BYTES = BUDGETS.replayChunk.max;

const TEXT_FRAME = { binary: false } as const;

/** This is a class because closures would be most of the memory of an idle socket. */
export class Outgoing {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #end: SocketEnd;
  /** The bytes of replayed messages that the peer has not yet taken. */
  #replayedBytes = 0;

  /** @param stream the TCP or TLS stream of the socket */
  constructor(socket: WebSocket, stream: Duplex, end: SocketEnd) {
    this.#socket = socket;
    this.#stream = stream;
    this.#end = end;
  }

  send(text: string | Buffer): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN || !this.hasRoomFor(text)) return;
    // A result and the question after it go out in one write.
    corkForTurn(this.#stream);
    socket.send(text, TEXT_FRAME);
  }

  /**
   * Sends messages that don't count towards the bytes that may wait.
   * @param timeoutMs how long the peer may take to read each chunk, those that wait before these messages
   *   included, ms; beyond it the peer is disconnected
   * @returns whether the socket has written all of them; false where the connection has ended before
   */
  sendChunk(messages: Buffer[], timeoutMs: number): Promise<boolean> {
    const socket = this.#socket;
    const last = messages.at(-1);
    if (!last) return Promise.resolve(true);
    if (socket.readyState !== socket.OPEN) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const bytes = messages.reduce((sum, { length }) => sum + length, 0);
    // A message may be longer than a chunk, since it is never divided.
    const chunks = Math.ceil((socket.bufferedAmount + bytes) / CHUNK_BYTES);
    const timer = setTimeout(() => this.#end.terminate('slow_reader'), chunks * timeoutMs);
    this.#replayedBytes += bytes;
    corkForTurn(this.#stream);
    for (const message of messages.slice(0, -1)) socket.send(message, TEXT_FRAME);
    socket.send(last, TEXT_FRAME, (error) => {
      clearTimeout(timer);
      this.#replayedBytes -= bytes;
      resolve(!error);
    });
    return promise;
  }

  /** @returns whether the peer has not taken a chunk yet, which has a time limit of its own */
  isReplaying(): boolean {
    return this.#replayedBytes > 0;
  }

  /** Disconnects the peer where too many bytes wait. @returns whether `data` may be sent */
  hasRoomFor(data: string | Buffer): boolean {
    const bufferedBytes = this.#socket.bufferedAmount - this.#replayedBytes;
    if (bufferedBytes <= 0) return true;
    if (bufferedBytes + Buffer.byteLength(data) <= BUDGETS.unreadBytes.max) return true;
    this.#end.terminate('slow_reader');
    return false;
  }
}

/** The service pings every 30 s and disconnects a peer that has not answered two pings. [contract 5] */
const PING_INTERVAL_MS = 30_000;
const PINGS_MISSED = 2;

/** How often the session is checked, ms: signing out closes a socket within a minute. [contract 6] */
const SESSION_CHECK_MS = 40_000;

/** The pause after a check that failed because the session store is away, ms. */
const SESSION_RETRY_MS = 5000;

export interface SignedInUser {
  /** @returns whether the session is still valid @throws where the store can't be read */
  isSignedIn(): Promise<boolean>;
}

/** This is a class because closures would be most of the memory of an idle socket. */
export class Heartbeat {
  readonly #socket: WebSocket;
  readonly #end: SocketEnd;
  readonly #user: SignedInUser;
  #unanswered = 0;
  #nextPingMs = performance.now() + PING_INTERVAL_MS;
  /** The first check comes at random, so that the sockets of a new replica don't check all at once. */
  #nextCheckMs = performance.now() + SESSION_CHECK_MS * (0.5 + Math.random() / 2);

  constructor(socket: WebSocket, end: SocketEnd, user: SignedInUser) {
    this.#socket = socket;
    this.#end = end;
    this.#user = user;
  }

  /** The peer has answered, or has read what was sent. */
  noteAlive(): void {
    this.#unanswered = 0;
  }

  /** @param nowMs by the monotonic clock, `performance.now()` */
  beat(nowMs: number): void {
    if (this.#end.isClosing) return;
    if (nowMs >= this.#nextPingMs) this.#ping(nowMs);
    if (nowMs >= this.#nextCheckMs) this.#checkSession(nowMs);
  }

  #ping(nowMs: number): void {
    this.#nextPingMs = nowMs + PING_INTERVAL_MS;
    if (this.#unanswered >= PINGS_MISSED) {
      this.#end.terminate('silent');
      return;
    }
    this.#unanswered++;
    this.#socket.ping();
  }

  #checkSession(nowMs: number): void {
    this.#nextCheckMs = nowMs + SESSION_CHECK_MS;
    this.#user.isSignedIn().then(
      (isSignedIn) => {
        if (isSignedIn || this.#end.isClosing) return;
        realtimeMetrics.closures.inc({ reason: 'signed_out' });
        this.#end.close(CLOSE_CODES.signedOut, 'signed out');
      },
      () => {
        this.#nextCheckMs = nowMs + SESSION_RETRY_MS;
      },
    );
  }
}
