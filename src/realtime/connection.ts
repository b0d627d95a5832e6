// One socket: its limits, its heartbeat, and its messages one after the other. A client that sends
// too much or reads too little is cut off; the others don't notice. [contract 5]
import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import type { SessionUser } from '../auth/user-sessions.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { realtimeMetrics } from './metrics.ts';
import type { Listener } from './room.ts';
import type { ErrorMessage } from './schema.ts';

/** [contract 5: 20 messages a second with a burst of 40] */
const MESSAGES_PER_SECOND = 20;
const BURST = 40;

/** So many messages over the limit without a pause, and the socket is closed. */
const EXCESS_ALLOWED = 40;

/** A pause that makes a new start. */
const PAUSE_MS = 1000;

/** What may wait in a socket's buffer for a client that does not read. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/** [contract 5: pings every 30 s, drops a peer that missed two] */
const PING_INTERVAL_MS = 30_000;
const PINGS_MISSED = 2;

/** Under the minute in which a signed-out user's sockets are closed. [contract 6] */
const SESSION_CHECK_MS = 40_000;

const CLOSE_TIMEOUT_MS = 3000;

export const CLOSE = {
  policy: 1008,
  restart: 1012,
  signedOut: 4401,
} as const;

export interface Connection extends Listener {
  readonly user: SessionUser;
  refuse(error: AppError, ref?: string): void;
  close(code: number, reason: string): void;
  /** Called every second: pings and session checks when they are due. */
  beat(nowMs: number): void;
  /** Resolves when it is closed and `onClose` is done. */
  whenClosed: Promise<void>;
}

export interface ConnectionDeps {
  user: SessionUser;
  /** @returns whether the session is still valid; throws when it can't be asked */
  isSignedIn(): Promise<boolean>;
  /** Does what a message asks for; must not throw. */
  onMessage(connection: Connection, data: Buffer, isBinary: boolean): Promise<void>;
  /** Called when the socket is closed and its last message is dealt with; must not throw. */
  onClose(connection: Connection): Promise<void>;
}

/** Takes over a socket; its listeners are attached at once, so that no early message is lost. */
export function createConnection(socket: WebSocket, deps: ConnectionDeps): Connection {
  const allow = createAllowance();
  const closed = Promise.withResolvers<void>();
  let queue = Promise.resolve();
  let unanswered = 0;
  let nextPingMs = Date.now() + PING_INTERVAL_MS;
  let nextCheckMs = Date.now() + SESSION_CHECK_MS * (0.5 + Math.random() / 2);

  const connection: Connection = {
    id: randomUUID(),
    userId: deps.user.id,
    user: deps.user,
    whenClosed: closed.promise,
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) cutOff('slow_reader');
      else socket.send(text);
    },
    refuse(error, ref) {
      realtimeMetrics.refusals.inc({ reason: error.code });
      connection.send(JSON.stringify(errorMessage(error, ref)));
    },
    close,
    beat(nowMs) {
      if (nowMs >= nextPingMs) ping(nowMs);
      if (nowMs >= nextCheckMs) checkSession(nowMs);
    },
  };

  /** A peer that does not answer the closing handshake is not waited for. */
  function close(code: number, reason: string): void {
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Without a closing handshake: the peer would not take part in it. */
  function cutOff(reason: string): void {
    realtimeMetrics.closures.inc({ reason });
    socket.terminate();
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
        if (isSignedIn) return;
        realtimeMetrics.closures.inc({ reason: 'signed_out' });
        close(CLOSE.signedOut, 'signed out');
      },
      () => {
        // Nobody knows at this moment: look again soon.
        nextCheckMs = nowMs + SESSION_CHECK_MS / 8;
      },
    );
  }

  socket.on('pong', () => {
    unanswered = 0;
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const verdict = allow(Date.now());
    if (verdict === 'close') {
      realtimeMetrics.closures.inc({ reason: 'flood' });
      close(CLOSE.policy, 'too many messages');
    } else if (verdict === 'refuse') {
      connection.refuse(tooManyMessages(), refOf(data));
    } else {
      queue = queue.then(() => deps.onMessage(connection, data, isBinary));
    }
  });
  // An error is always followed by 'close'.
  socket.on('error', () => {});
  socket.on('close', () => {
    // Not before the last messages are dealt with: who says `lobby:leave` and goes has left.
    queue = queue.then(() => deps.onClose(connection)).finally(closed.resolve);
  });
  return connection;
}

/** A token bucket. @returns what to do with a message that arrives at `nowMs` */
function createAllowance(): (nowMs: number) => 'take' | 'refuse' | 'close' {
  let tokens = BURST;
  let lastMs = Date.now();
  let excess = 0;
  return (nowMs) => {
    tokens = Math.min(BURST, tokens + (Math.max(0, nowMs - lastMs) / 1000) * MESSAGES_PER_SECOND);
    lastMs = nowMs;
    if (tokens >= 1) {
      // A flood still gets through at the allowed rate; only a pause makes it a new start.
      if (tokens > BURST / 2) excess = 0;
      tokens--;
      return 'take';
    }
    return ++excess > EXCESS_ALLOWED ? 'close' : 'refuse';
  };
}

function tooManyMessages(): AppError {
  return new AppError('RATE_LIMITED', `At most ${MESSAGES_PER_SECOND} messages a second.`, {
    retryAfterMs: PAUSE_MS,
  });
}

/** @returns the message's `ref` if it has a usable one, whatever else is wrong with it */
export function refOf(data: Buffer): string | undefined {
  try {
    const { ref } = JSON.parse(data.toString()) as { ref?: unknown };
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
    // A 503 says over HTTP alone how long to wait. [contract 17]
    ...(error.status === 429 ? { retryAfterMs: error.retryAfterMs ?? PAUSE_MS } : {}),
  };
}
