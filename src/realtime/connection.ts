// One socket: its limits, its heartbeat, and its messages one after the other. A client that sends
// too much or reads too little is cut off; the others don't notice. [contract 5, 17]
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { SessionUser } from '../auth/user-sessions.ts';
import type { AppError } from '../errors.ts';
import { holdForTurn } from '../platform/write-together.ts';
import { createAllowance, judge, tooManyMessages } from './allowance.ts';
import { errorMessage, refOf } from './error-message.ts';
import { realtimeMetrics } from './metrics.ts';
import type { Listener } from './room.ts';

/** What a socket has sent and is not yet handled, the message under way included. [contract 17] */
const MAX_WAITING_MESSAGES = 40;

/** What may wait in a socket's buffer for a client that does not read. [contract 17] */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** [contract 5: pings every 30 s, drops a peer that missed two] */
const PING_INTERVAL_MS = 30_000;
const PINGS_MISSED = 2;

/** Under the minute in which a signed-out user's sockets are closed. [contract 6] */
const SESSION_CHECK_MS = 40_000;

/** How long the peer may take over the closing handshake, whatever else it does. [contract 17] */
const CLOSE_TIMEOUT_MS = 3000;

/** How long a peer that is not listened to may take to read why: so long it can't come back either. */
const LINGER_MS = 2500;

const TEXT_FRAME = { binary: false } as const;

export const CLOSE = {
  policy: 1008,
  restart: 1012,
  signedOut: 4401,
} as const;

export interface Connection extends Listener {
  readonly user: SessionUser;
  /** The Cookie header that it was opened with. */
  readonly cookie: string | undefined;
  /** Whether the peer has gone: nobody waits any more for what it has asked for. */
  readonly isGone: boolean;
  refuse(error: AppError, ref?: string): void;
  /** Closes by a handshake; what arrives meanwhile is not handled. */
  close(code: number, reason: string): void;
  /** Called every second: pings and session checks when they are due. */
  beat(nowMs: number): void;
  /** Resolves when it is closed and `onClose` is done; to be asked for before. */
  whenClosed(): Promise<void>;
}

/** What all connections of a replica share. */
export interface ConnectionDeps {
  /** @returns whether the session is still valid; throws when it can't be asked */
  isSignedIn(connection: Connection): Promise<boolean>;
  /** Does what a message asks for; null stands for a binary frame. Must not throw. */
  onMessage(connection: Connection, text: string | null): Promise<void>;
  /** Called when the socket is closed and its last message is dealt with; must not throw. */
  onClose(connection: Connection): Promise<void>;
}

/** Takes over a socket; its listeners are attached at once, so that no early message is lost. */
export function createConnection(socket: WebSocket, peer: Peer, deps: ConnectionDeps): Connection {
  return new SocketConnection(socket, peer, deps);
}

/** Whose socket it is. */
export interface Peer {
  user: SessionUser;
  cookie: string | undefined;
  /** What the socket was made of. */
  stream: Duplex;
}

const DONE = Promise.resolve();

/** How the listeners, which all sockets share, find the connection of theirs. */
const owner = Symbol('connection');
type Owned<Emitter> = Emitter & { [owner]: SocketConnection };

/** A class, since most sockets are idle: the closures of a function would be most of what they hold. */
class SocketConnection implements Connection {
  readonly id = randomBytes(9).toString('base64url');
  readonly user: SessionUser;
  readonly cookie: string | undefined;
  isGone = false;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #deps: ConnectionDeps;
  readonly #allowance = createAllowance();
  #queue: Promise<void> = DONE;
  #waiting = 0;
  #isClosing = false;
  #unanswered = 0;
  #nextPingMs = Date.now() + PING_INTERVAL_MS;
  #nextCheckMs = Date.now() + SESSION_CHECK_MS * (0.5 + Math.random() / 2);
  #closed: PromiseWithResolvers<void> | null = null;

  constructor(socket: WebSocket, { user, cookie, stream }: Peer, deps: ConnectionDeps) {
    this.user = user;
    this.cookie = cookie;
    this.#socket = socket;
    this.#stream = stream;
    this.#deps = deps;
    (socket as Owned<WebSocket>)[owner] = this;
    (stream as Owned<Duplex>)[owner] = this;
    socket.on('pong', heardPong).on('ping', heardPing).on('message', heardMessage);
    socket.on('error', heardNonsense).on('close', heardClose);
    stream.on('finish', heardOwnFarewell);
  }

  get userId(): string {
    return this.user.id;
  }

  send(text: string | Buffer): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN || !this.#hasRoomFor(text)) return;
    // A result and the question after it are one write.
    holdForTurn(this.#stream);
    socket.send(text, TEXT_FRAME);
  }

  refuse(error: AppError, ref?: string): void {
    realtimeMetrics.refusals.inc({ reason: error.code });
    this.send(JSON.stringify(errorMessage(error, ref)));
  }

  close(code: number, reason: string): void {
    this.#isClosing = true;
    this.#socket.close(code, reason);
    this.#cutAfter(CLOSE_TIMEOUT_MS);
  }

  beat(nowMs: number): void {
    if (this.#isClosing) return;
    if (nowMs >= this.#nextPingMs) this.#ping(nowMs);
    if (nowMs >= this.#nextCheckMs) this.#checkSession(nowMs);
  }

  whenClosed(): Promise<void> {
    this.#closed ??= Promise.withResolvers<void>();
    return this.#closed.promise;
  }

  heardPong(): void {
    this.#unanswered = 0;
    this.#admit();
  }

  heardPing(data: Buffer): void {
    if (this.#admit() && this.#hasRoomFor(data)) this.#socket.pong(data);
  }

  heardMessage(text: string | null): void {
    if (!this.#admit(text)) return;
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => this.#deps.onMessage(this, text))
      .finally(() => {
        this.#waiting--;
      });
  }

  heardClose(): void {
    this.isGone = true;
    // Not before the last message is dealt with: who says `lobby:leave` and goes has left.
    this.#queue = this.#queue
      .then(() => this.#deps.onClose(this))
      .finally(() => this.#closed?.resolve());
  }

  /** Listens no more, without a word. */
  hangUp(): void {
    this.#isClosing = true;
    this.#stopReading();
    this.#cutAfter(LINGER_MS);
  }

  /** @returns whether a frame of any kind is taken; its sender is told when not */
  #admit(text: string | null = null): boolean {
    const verdict = judge(this.#allowance, Date.now(), this.#waiting >= MAX_WAITING_MESSAGES);
    if (verdict === 'close') this.#expel();
    if (verdict !== 'take') this.refuse(tooManyMessages(), refOf(text));
    return verdict === 'take' && !this.#isClosing;
  }

  /** The verdict on a flood: what was accepted is still done, then the peer learns why. */
  #expel(): void {
    realtimeMetrics.closures.inc({ reason: 'flood' });
    this.#isClosing = true;
    this.#stopReading();
    this.#cutAfter(CLOSE_TIMEOUT_MS);
    void this.#queue.then(() => {
      this.#socket.close(CLOSE.policy, 'too many messages');
      this.#cutAfter(LINGER_MS);
    });
  }

  /** What the peer still sends fills its own buffers. */
  #stopReading(): void {
    for (const kind of ['message', 'ping', 'pong']) this.#socket.removeAllListeners(kind);
    this.#socket.pause();
  }

  #cutAfter(delayMs: number): void {
    setTimeout(() => this.#socket.terminate(), delayMs).unref();
  }

  /** Without a closing handshake: the peer would not take part in it. */
  #cutOff(reason: string): void {
    realtimeMetrics.closures.inc({ reason });
    this.#socket.terminate();
  }

  /** A peer that does not read what it gets is cut off. */
  #hasRoomFor(data: string | Buffer): boolean {
    const bufferedBytes = this.#socket.bufferedAmount;
    if (bufferedBytes === 0) return true;
    if (bufferedBytes + Buffer.byteLength(data) <= MAX_BUFFERED_BYTES) return true;
    this.#cutOff('slow_reader');
    return false;
  }

  #ping(nowMs: number): void {
    this.#nextPingMs = nowMs + PING_INTERVAL_MS;
    if (this.#unanswered >= PINGS_MISSED) {
      this.#cutOff('silent');
      return;
    }
    this.#unanswered++;
    this.#socket.ping();
  }

  #checkSession(nowMs: number): void {
    this.#nextCheckMs = nowMs + SESSION_CHECK_MS;
    this.#deps.isSignedIn(this).then(
      (isSignedIn) => {
        if (isSignedIn || this.#isClosing) return;
        realtimeMetrics.closures.inc({ reason: 'signed_out' });
        this.close(CLOSE.signedOut, 'signed out');
      },
      () => {
        // Nobody knows at this moment: look again soon.
        this.#nextCheckMs = nowMs + SESSION_CHECK_MS / 8;
      },
    );
  }
}

function heardPong(this: WebSocket): void {
  (this as Owned<WebSocket>)[owner].heardPong();
}

function heardPing(this: WebSocket, data: Buffer): void {
  (this as Owned<WebSocket>)[owner].heardPing(data);
}

function heardMessage(this: WebSocket, data: Buffer, isBinary: boolean): void {
  // A string of its own: the frame would keep alive all that arrived with it.
  (this as Owned<WebSocket>)[owner].heardMessage(isBinary ? null : data.toString());
}

function heardClose(this: WebSocket): void {
  (this as Owned<WebSocket>)[owner].heardClose();
}

/** After a frame that is none ws would read on. */
function heardNonsense(this: WebSocket): void {
  setImmediate(() => (this as Owned<WebSocket>)[owner].hangUp());
}

/** After what follows the farewell of both, too. */
function heardOwnFarewell(this: Duplex): void {
  this.once('data', () => (this as Owned<Duplex>)[owner].hangUp());
}
