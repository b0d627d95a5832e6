// The heartbeat ends the socket of a peer that no longer answers pings, and of a user who has signed out. The
// gateway calls all heartbeats by one timer, since a timer for each socket would take more memory.
import type { WebSocket } from '@fastify/websocket';
import { realtimeMetrics } from './metrics.ts';
import { CLOSE_CODES, type SocketEnd } from './socket-end.ts';

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
