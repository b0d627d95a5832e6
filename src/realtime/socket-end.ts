// Ends a socket from this side. From then on no frame is handled, and the end is bounded in time: a timer
// terminates the connection of a peer that neither reads nor answers. [contract 5, 6, 17]
import type { WebSocket } from '@fastify/websocket';
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
