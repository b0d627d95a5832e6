// One socket: its limits, its heartbeat, and its messages one after the other. A client that sends
// too much or reads too little is cut off; the others don't notice. [contract 5, 17]
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { SessionUser } from '../auth/user-sessions.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import { createAllowance, tooManyMessages } from './allowance.ts';
import { realtimeMetrics } from './metrics.ts';
import type { Listener } from './room.ts';
import type { ErrorMessage } from './schema.ts';

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

export const CLOSE = {
  policy: 1008,
  restart: 1012,
  signedOut: 4401,
} as const;

export interface Connection extends Listener {
  readonly user: SessionUser;
  /** Whether the peer has gone: nobody waits any more for what it has asked for. */
  readonly isGone: boolean;
  refuse(error: AppError, ref?: string): void;
  /** Closes by a handshake; what arrives meanwhile is not handled. */
  close(code: number, reason: string): void;
  /** Called every second: pings and session checks when they are due. */
  beat(nowMs: number): void;
  /** Resolves when it is closed and `onClose` is done. */
  whenClosed: Promise<void>;
}

export interface ConnectionDeps {
  user: SessionUser;
  /** What the socket was made of. */
  stream: Duplex;
  /** @returns whether the session is still valid; throws when it can't be asked */
  isSignedIn(): Promise<boolean>;
  /** Does what a message asks for; null stands for a binary frame. Must not throw. */
  onMessage(connection: Connection, text: string | null): Promise<void>;
  /** Called when the socket is closed and its last message is dealt with; must not throw. */
  onClose(connection: Connection): Promise<void>;
}

/** Takes over a socket; its listeners are attached at once, so that no early message is lost. */
export function createConnection(socket: WebSocket, deps: ConnectionDeps): Connection {
  const { user, stream } = deps;
  const judge = createAllowance();
  const closed = Promise.withResolvers<void>();
  let queue = Promise.resolve();
  let waiting = 0;
  let isClosing = false;
  let isGone = false;
  let unanswered = 0;
  let nextPingMs = Date.now() + PING_INTERVAL_MS;
  let nextCheckMs = Date.now() + SESSION_CHECK_MS * (0.5 + Math.random() / 2);

  const connection: Connection = {
    id: randomUUID(),
    userId: user.id,
    user,
    whenClosed: closed.promise,
    get isGone() {
      return isGone;
    },
    send(text) {
      if (socket.readyState === socket.OPEN && hasRoomFor(text)) socket.send(text);
    },
    refuse(error, ref) {
      realtimeMetrics.refusals.inc({ reason: error.code });
      connection.send(JSON.stringify(errorMessage(error, ref)));
    },
    close(code, reason) {
      isClosing = true;
      socket.close(code, reason);
      cutAfter(CLOSE_TIMEOUT_MS);
    },
    beat(nowMs) {
      if (isClosing) return;
      if (nowMs >= nextPingMs) ping(nowMs);
      if (nowMs >= nextCheckMs) checkSession(nowMs);
    },
  };

  /** @returns whether a frame of any kind is taken; its sender is told when not */
  function admit(readRef: () => string | undefined = () => undefined): boolean {
    const verdict = judge(Date.now(), waiting >= MAX_WAITING_MESSAGES);
    if (verdict === 'close') expel();
    if (verdict !== 'take') connection.refuse(tooManyMessages(), readRef());
    return verdict === 'take' && !isClosing;
  }

  /** The verdict on a flood: what was accepted is still done, then the peer learns why. */
  function expel(): void {
    realtimeMetrics.closures.inc({ reason: 'flood' });
    isClosing = true;
    stopReading();
    cutAfter(CLOSE_TIMEOUT_MS);
    queue.then(() => {
      socket.close(CLOSE.policy, 'too many messages');
      cutAfter(LINGER_MS);
    });
  }

  /** What the peer still sends fills its own buffers. */
  function stopReading(): void {
    for (const kind of ['message', 'ping', 'pong']) socket.removeAllListeners(kind);
    socket.pause();
  }

  function hangUp(): void {
    isClosing = true;
    stopReading();
    cutAfter(LINGER_MS);
  }

  function cutAfter(delayMs: number): void {
    setTimeout(() => socket.terminate(), delayMs).unref();
  }

  /** Without a closing handshake: the peer would not take part in it. */
  function cutOff(reason: string): void {
    realtimeMetrics.closures.inc({ reason });
    socket.terminate();
  }

  /** A peer that does not read what it gets is cut off. */
  function hasRoomFor(data: string | Buffer): boolean {
    const bufferedBytes = socket.bufferedAmount;
    if (bufferedBytes === 0) return true;
    if (bufferedBytes + Buffer.byteLength(data) <= MAX_BUFFERED_BYTES) return true;
    cutOff('slow_reader');
    return false;
  }

  function ping(nowMs: number): void {
    nextPingMs = nowMs + PING_INTERVAL_MS;
    if (unanswered >= PINGS_MISSED) {
      cutOff('silent');
      return;
    }
    unanswered++;
    socket.ping();
  }

  function checkSession(nowMs: number): void {
    nextCheckMs = nowMs + SESSION_CHECK_MS;
    deps.isSignedIn().then(
      (isSignedIn) => {
        if (isSignedIn || isClosing) return;
        realtimeMetrics.closures.inc({ reason: 'signed_out' });
        connection.close(CLOSE.signedOut, 'signed out');
      },
      () => {
        // Nobody knows at this moment: look again soon.
        nextCheckMs = nowMs + SESSION_CHECK_MS / 8;
      },
    );
  }

  socket.on('pong', () => {
    unanswered = 0;
    admit();
  });
  socket.on('ping', (data: Buffer) => {
    if (admit() && hasRoomFor(data)) socket.pong(data);
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // A string of its own: the frame would keep alive all that arrived with it.
    const text = isBinary ? null : data.toString();
    if (!admit(() => refOf(text))) return;
    waiting++;
    queue = queue
      .then(() => deps.onMessage(connection, text))
      .finally(() => {
        waiting--;
      });
  });
  // After a frame that is none, or one that follows the farewell of both, ws would read on.
  socket.on('error', () => setImmediate(hangUp));
  stream.once('finish', () => stream.once('data', hangUp));
  socket.on('close', () => {
    isGone = true;
    // Not before the last message is dealt with: who says `lobby:leave` and goes has left.
    queue = queue.then(() => deps.onClose(connection)).finally(closed.resolve);
  });
  return connection;
}

/** @returns the message's `ref` if it has a usable one, whatever else is wrong with it */
export function refOf(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    const { ref } = JSON.parse(text) as { ref?: unknown };
    return typeof ref === 'string' && ref.length >= 1 && ref.length <= 64 ? ref : undefined;
  } catch {
    return undefined;
  }
}

function errorMessage(error: AppError, ref: string | undefined): ErrorMessage {
  const reason: ErrorCode = error.code;
  const fields = (error.errors ?? []).map(({ path, message }) => `${path} ${message}`.trim());
  return {
    type: 'error',
    code: error.status,
    reason,
    message: [error.message, ...fields].join(' '),
    ...(ref === undefined ? {} : { ref }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}
