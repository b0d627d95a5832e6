// A socket is a connection by WebSocket. It handles the client's messages one after the other, within a rate limit and a
// bound on waiting messages, pings its peer, and ends in bounded time. [contract 5, 17]
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { CLOSE_CODES, CLOSE_TIMEOUT_MS, Connection, type ConnectionEvents, type Peer } from './connection.ts';
import { errorMessage, type FrameSender, refOf } from './dispatch.ts';
import { realtimeMetrics } from './metrics.ts';

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

/** How long a peer that is no longer read may take to read the reason, ms. It counts in the quotas for that time. */
const LINGER_MS = 2500;

/** The service pings every 30 s and disconnects a peer that has not answered two pings. [contract 5] */
const PING_INTERVAL_MS = 30_000;
const PINGS_MISSED = 2;

const TEXT_FRAME = { binary: false } as const;
const DONE = Promise.resolve();

export interface SocketEvents extends ConnectionEvents {
  /** It must not throw. @param text null for a binary frame */
  onMessage(socket: SocketConnection, text: string | null): Promise<void>;
}

export class SocketConnection extends Connection implements SocketHandler, FrameSender {
  readonly #socket: WebSocket;
  readonly #onMessage: SocketEvents['onMessage'];
  #tokens: number = BUDGETS.messageBurst.max;
  /** When the last frame arrived, by the monotonic clock: a step of the wall clock must not refill tokens. */
  #lastFrameMs = performance.now();
  /** Frames that were refused since the last pause. */
  #refusals = 0;
  #queue: Promise<void> = DONE;
  #waiting = 0;
  #unanswered = 0;
  #nextPingMs = performance.now() + PING_INTERVAL_MS;

  /** Attaches the listeners in the same turn of the event loop, so that no early message is lost. */
  constructor(socket: WebSocket, peer: Peer, events: SocketEvents) {
    super(peer, events);
    this.#socket = socket;
    this.#onMessage = events.onMessage;
    attachListeners(socket, peer.stream, this);
  }

  protected get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  protected get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  protected write(text: string | Buffer, _id?: string, written?: (error?: Error | null) => void): void {
    // A result and the question after it go out in one write.
    corkForTurn(this.stream);
    this.#socket.send(text, TEXT_FRAME, written);
  }

  protected disconnect(): void {
    this.#socket.terminate();
  }

  refuse(error: AppError, ref?: string): void {
    realtimeMetrics.refusals.inc({ reason: error.code });
    this.send(JSON.stringify(errorMessage(error, ref)));
  }

  /** Starts the closing handshake. Messages that arrive meanwhile are ignored. */
  close(code: number, reason: string): void {
    this.isClosing = true;
    this.#socket.close(code, reason);
    this.#terminateAfter(CLOSE_TIMEOUT_MS);
  }

  protected keepAlive(nowMs: number): void {
    // The pings behind a replay reach the peer late; the time limit of its chunks applies instead.
    if (this.isReplaying) this.#unanswered = 0;
    if (nowMs < this.#nextPingMs) return;
    this.#nextPingMs = nowMs + PING_INTERVAL_MS;
    if (this.#unanswered >= PINGS_MISSED) {
      this.terminate('silent');
      return;
    }
    this.#unanswered++;
    this.#socket.ping();
  }

  onPong(): void {
    this.#unanswered = 0;
    this.#accept();
  }

  onPing(data: Buffer): void {
    if (this.#accept() && this.hasRoomFor(data)) this.#socket.pong(data);
  }

  onMessage(text: string | null): void {
    if (!this.#accept(text)) return;
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => this.#onMessage(this, text))
      .finally(() => {
        this.#waiting--;
      });
  }

  /** Stops reading a peer to which the reason was sent already. */
  onViolation(): void {
    this.#stopReading();
    this.#terminateAfter(LINGER_MS);
  }

  onClose(): void {
    this.#queue = this.noteClosed(this.#queue);
  }

  /** @returns whether a frame of any kind is accepted; the sender of a refused frame gets an `error` */
  #accept(text: string | null = null): boolean {
    const passedMs = performance.now() - this.#lastFrameMs;
    this.#lastFrameMs += passedMs;
    this.#tokens = Math.min(BUDGETS.messageBurst.max, this.#tokens + (passedMs / 1000) * BUDGETS.messages.max);
    if (passedMs >= MIN_PAUSE_MS) this.#refusals = 0;
    if (this.#tokens >= 1 && this.#waiting < BUDGETS.waitingMessages.max) {
      this.#tokens--;
      return !this.isClosing;
    }
    if (++this.#refusals >= MAX_REFUSALS) this.#closeFlood();
    const detail = `At most ${BUDGETS.messages.max} messages a second.`;
    this.refuse(new AppError('RATE_LIMITED', detail, { retryAfterMs: PAUSE_MS, limit: null }), refOf(text));
    return false;
  }

  /** Stops reading a client that floods, and closes when its accepted messages are handled. */
  #closeFlood(): void {
    realtimeMetrics.closures.inc({ reason: 'flood' });
    this.#stopReading();
    this.#terminateAfter(CLOSE_TIMEOUT_MS);
    void this.#queue.then(() => {
      this.#socket.close(CLOSE_CODES.policy, 'too many messages');
      this.#terminateAfter(LINGER_MS);
    });
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
