// A connection is one open socket. It handles the client's messages one after the other, within a rate limit
// and a bound on waiting messages; it sends within a bound on waiting bytes. A client that exceeds them is
// disconnected without effect on others. [contract 5, 17]

import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { SessionUser } from '../auth/sessions/user-sessions.ts';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { errorMessage, refOf } from './dispatch.ts';
import type { Sender } from './handlers.ts';
import { realtimeMetrics } from './metrics.ts';
import { Heartbeat, Outgoing, type SignedInUser, SocketEnd } from './socket.ts';

interface SocketHandler {
  /** @param text null for a binary frame */
  onMessage(text: string | null): void;
  onPing(data: Buffer): void;
  onPong(): void;
  /** ws has refused a frame and sent its close code, or the peer sends after this side's last byte. */
  onViolation(): void;
  onClose(): void;
}

const handler = Symbol('handler');
type Handled<Emitter> = Emitter & { [handler]: SocketHandler };

/** @param stream the TCP or TLS stream of the socket */
function attachListeners(socket: WebSocket, stream: Duplex, to: SocketHandler): void {
  (socket as Handled<WebSocket>)[handler] = to;
  (stream as Handled<Duplex>)[handler] = to;
  socket.on('pong', onPong).on('ping', onPing).on('message', onMessage);
  socket.on('error', onError).on('close', onClose);
  stream.on('finish', onFinish);
}

function onPong(this: WebSocket): void {
  (this as Handled<WebSocket>)[handler].onPong();
}

function onPing(this: WebSocket, data: Buffer): void {
  (this as Handled<WebSocket>)[handler].onPing(data);
}

function onMessage(this: WebSocket, data: Buffer, isBinary: boolean): void {
  // The frame's buffer would keep the whole chunk that it arrived with in memory; a string does not.
  (this as Handled<WebSocket>)[handler].onMessage(isBinary ? null : data.toString());
}

function onClose(this: WebSocket): void {
  (this as Handled<WebSocket>)[handler].onClose();
}

/** After an invalid frame ws sends its close frame in this turn, and would then read on. */
function onError(this: WebSocket): void {
  setImmediate(() => (this as Handled<WebSocket>)[handler].onViolation());
}

function onFinish(this: Duplex): void {
  this.once('data', () => (this as Handled<Duplex>)[handler].onViolation());
}

/** Refused frames in a row without a pause; with the last of them the socket is closed. [contract 17] */
const MAX_REFUSALS = 40;

/** The pause, in ms, that a refusal asks for and that resets the count of refusals. [contract 17] */
const PAUSE_MS = 1000;

/** The network may shorten a pause a little: this one, in ms, counts as whole. */
const MIN_PAUSE_MS = 0.95 * PAUSE_MS;

export type Verdict = 'accept' | 'refuse' | 'close';

interface FrameLimit {
  tokens: number;
  /** When the last frame arrived, by the monotonic clock: a step of the wall clock must not refill tokens. */
  lastMs: number;
  refusals: number;
}

function createFrameLimit(): FrameLimit {
  return { tokens: BUDGETS.messageBurst.max, lastMs: performance.now(), refusals: 0 };
}

/**
 * @param nowMs when the frame arrives, by `performance.now()`
 * @returns `close` if the frame is refused and the connection must be closed; a full queue accepts no frame
 */
function countFrame(limit: FrameLimit, nowMs: number, isQueueFull: boolean): Verdict {
  const passedMs = nowMs - limit.lastMs;
  const refilled = limit.tokens + (passedMs / 1000) * BUDGETS.messages.max;
  limit.lastMs = nowMs;
  limit.tokens = Math.min(BUDGETS.messageBurst.max, refilled);
  if (passedMs >= MIN_PAUSE_MS) limit.refusals = 0;
  if (limit.tokens >= 1 && !isQueueFull) {
    limit.tokens--;
    return 'accept';
  }
  return ++limit.refusals < MAX_REFUSALS ? 'refuse' : 'close';
}

function tooManyMessages(): AppError {
  return new AppError('RATE_LIMITED', `At most ${BUDGETS.messages.max} messages a second.`, {
    retryAfterMs: PAUSE_MS,
    limit: null,
  });
}

export interface Connection extends Sender {
  readonly user: SessionUser;
  /** The Cookie header of the upgrade. */
  readonly cookie: string | undefined;
  refuse(error: AppError, ref?: string): void;
  /** Starts the closing handshake. Messages that arrive meanwhile are ignored. */
  close(code: number, reason: string): void;
  /**
   * Pings the peer and checks the session when that is due. The gateway calls it every second.
   * @param nowMs by the monotonic clock, `performance.now()`
   */
  beat(nowMs: number): void;
  /** Resolves when the socket is closed and `onClose` is done. It must be called before the socket closes. */
  whenClosed(): Promise<void>;
}

/** What all connections of a replica call, and the limit that they share. */
export interface ConnectionEvents {
  /** How long a peer may take to read a chunk of a replay, ms; beyond it the peer is disconnected. */
  chunkTimeoutMs: number;
  /** @returns whether the session is still valid @throws where the store can't be read */
  isSignedIn(connection: Connection): Promise<boolean>;
  /** Handles a message. It must not throw. @param text null for a binary frame */
  onMessage(connection: Connection, text: string | null): Promise<void>;
  /** The socket is closed and its last message is handled. It must not throw. */
  onClose(connection: Connection): Promise<void>;
}

/** Attaches the listeners in the same turn of the event loop, so that no early message is lost. */
export function createConnection(socket: WebSocket, peer: Peer, events: ConnectionEvents): Connection {
  return new SocketConnection(socket, peer, events);
}

interface Peer {
  user: SessionUser;
  cookie: string | undefined;
  address: string;
  /** The TCP or TLS stream of the socket. */
  stream: Duplex;
}

const DONE = Promise.resolve();
const TAKEN = Promise.resolve(true);

/** This is a class because closures would be most of the memory of an idle socket. */
class SocketConnection implements Connection, SocketHandler, SignedInUser {
  readonly id = randomBytes(9).toString('base64url');
  readonly user: SessionUser;
  readonly cookie: string | undefined;
  readonly address: string;
  isGone = false;
  nameInLobby: string | undefined;
  taken = TAKEN;
  readonly #socket: WebSocket;
  readonly #end: SocketEnd;
  readonly #outgoing: Outgoing;
  readonly #heartbeat: Heartbeat;
  readonly #events: ConnectionEvents;
  readonly #limit = createFrameLimit();
  #queue: Promise<void> = DONE;
  #waiting = 0;
  #closed: PromiseWithResolvers<void> | null = null;

  constructor(socket: WebSocket, { user, cookie, address, stream }: Peer, events: ConnectionEvents) {
    this.user = user;
    this.cookie = cookie;
    this.address = address;
    this.#socket = socket;
    this.#end = new SocketEnd(socket);
    this.#outgoing = new Outgoing(socket, stream, this.#end);
    this.#heartbeat = new Heartbeat(socket, this.#end, this);
    this.#events = events;
    attachListeners(socket, stream, this);
  }

  get userId(): string {
    return this.user.id;
  }

  get userName(): string {
    return this.nameInLobby ?? this.user.name;
  }

  send(text: string | Buffer): void {
    this.#outgoing.send(text);
  }

  sendChunk(messages: Buffer[]): Promise<boolean> {
    const { chunkTimeoutMs } = this.#events;
    this.taken = this.#outgoing.sendChunk(messages, chunkTimeoutMs);
    return this.taken;
  }

  refuse(error: AppError, ref?: string): void {
    realtimeMetrics.refusals.inc({ reason: error.code });
    this.send(JSON.stringify(errorMessage(error, ref)));
  }

  close(code: number, reason: string): void {
    this.#end.close(code, reason);
  }

  beat(nowMs: number): void {
    // The pings behind a replay reach the peer late; the time limit of its chunks applies instead.
    if (this.#outgoing.isReplaying()) this.#heartbeat.noteAlive();
    this.#heartbeat.beat(nowMs);
  }

  isSignedIn(): Promise<boolean> {
    return this.#events.isSignedIn(this);
  }

  whenClosed(): Promise<void> {
    this.#closed ??= Promise.withResolvers<void>();
    return this.#closed.promise;
  }

  onPong(): void {
    this.#heartbeat.noteAlive();
    this.#accept();
  }

  onPing(data: Buffer): void {
    if (this.#accept() && this.#outgoing.hasRoomFor(data)) this.#socket.pong(data);
  }

  onMessage(text: string | null): void {
    if (!this.#accept(text)) return;
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => this.#events.onMessage(this, text))
      .finally(() => {
        this.#waiting--;
      });
  }

  onViolation(): void {
    this.#end.abandon();
  }

  onClose(): void {
    this.isGone = true;
    // The last message is handled first: a client may send `lobby:leave` and disconnect.
    this.#queue = this.#queue.then(() => this.#events.onClose(this)).finally(() => this.#closed?.resolve());
  }

  /** @returns whether a frame of any kind is accepted; the sender of a refused frame gets an `error` */
  #accept(text: string | null = null): boolean {
    const isQueueFull = this.#waiting >= BUDGETS.waitingMessages.max;
    const verdict = countFrame(this.#limit, performance.now(), isQueueFull);
    if (verdict === 'close') this.#end.closeFlood(this.#queue);
    if (verdict !== 'accept') this.refuse(tooManyMessages(), refOf(text));
    return verdict === 'accept' && !this.#end.isClosing;
  }
}
