// A socket is a connection by WebSocket. It handles the client's frames one after the other, within a rate limit and a
// bound on waiting ones, pings its peer, and ends in bounded time. A frame with a `ref` is answered by an `ack`, and one
// that is refused by an `error`; the connection stays open in any case. [contract 5, 17, 23]
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { toAppError } from '../http/problems/problem.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { validationFailed } from '../validation.ts';
import { CLOSE_CODES, CLOSE_TIMEOUT_MS, Connection, type ConnectionEvents, type Peer } from './connection.ts';
import { realtimeMetrics } from './metrics.ts';
import { type AckMessage, ClientMessage, type ErrorMessage } from './schema.ts';

/** The property by which the listeners find their connection; closures would be most of the memory of an idle socket. */
const owner = Symbol('owner');
const ownerOf = (emitter: object) => (emitter as { [owner]: SocketConnection })[owner];

function attachListeners(socket: WebSocket, stream: Duplex, connection: SocketConnection): void {
  for (const emitter of [socket, stream]) Object.assign(emitter, { [owner]: connection });
  socket.on('pong', onPong).on('ping', onPing).on('message', onMessage);
  socket.on('error', onError).on('close', onClose);
  stream.on('finish', onFinish);
}

function onPong(this: object): void {
  ownerOf(this).onPong();
}

function onPing(this: object, data: Buffer): void {
  ownerOf(this).onPing(data);
}

function onMessage(this: object, data: Buffer, isBinary: boolean): void {
  // The frame's buffer would keep the whole chunk that it arrived with in memory; a string does not.
  ownerOf(this).onMessage(isBinary ? null : data.toString());
}

function onClose(this: object): void {
  ownerOf(this).onClose();
}

/** After an invalid frame ws sends its close frame in this turn, and would then read on. */
function onError(this: object): void {
  setImmediate(() => ownerOf(this).onViolation());
}

/** The peer must not send after this side's last byte. */
function onFinish(this: Duplex): void {
  this.once('data', () => ownerOf(this).onViolation());
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

export class SocketConnection extends Connection {
  readonly #socket: WebSocket;
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
  constructor(socket: WebSocket, peer: Peer, events: ConnectionEvents) {
    super(peer, events);
    this.#socket = socket;
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

  #refuse(error: AppError, ref: string | undefined): void {
    realtimeMetrics.refusals.inc({ reason: error.code });
    const fields = (error.errors ?? []).map(({ path, message }) => `${path} ${message}`.trim());
    const message: ErrorMessage = {
      type: 'error',
      code: error.status,
      reason: error.code,
      message: [error.message, ...fields].join(' '),
      ...(ref !== undefined && { ref }),
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    };
    this.send(JSON.stringify(message));
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

  /** @param text null for a binary frame */
  onMessage(text: string | null): void {
    if (!this.#accept(text)) return;
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => this.#handle(text))
      .finally(() => {
        this.#waiting--;
      });
  }

  /** Never throws, and answers a frame that has a `ref` once. */
  async #handle(text: string | null): Promise<void> {
    try {
      const message = parse(text);
      await this.events.dispatch(this, message);
      const { ref } = message;
      if (ref !== undefined) this.send(JSON.stringify({ type: 'ack', ref } satisfies AckMessage));
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.status >= 500)
        logFailure(this.events.logger, 'error', error, 'message failed', { userId: this.userId });
      this.#refuse(refusal, refOf(text));
    }
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
    this.#refuse(new AppError('RATE_LIMITED', detail, { retryAfterMs: PAUSE_MS, limit: null }), refOf(text));
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

function parse(text: string | null): ClientMessage {
  if (text === null) throw new AppError('INVALID_JSON', 'Send text frames of JSON.');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON', 'The message is not valid JSON.');
  }
  const message = ClientMessage.safeParse(json);
  if (!message.success) throw validationFailed(message.error.issues);
  return message.data;
}

/** @returns the message's `ref` if that is valid, even when the rest of the message is not */
export function refOf(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    const { ref } = JSON.parse(text) as { ref?: unknown };
    return typeof ref === 'string' && ref.length >= 1 && ref.length <= 64 ? ref : undefined;
  } catch {
    return undefined;
  }
}
