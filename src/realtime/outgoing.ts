// Sends messages to one socket, and limits what may wait for a slow reader. [contract 17, 19]
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { BUDGETS } from '../budgets.ts';
import { corkForTurn } from './cork-for-turn.ts';
import type { SocketEnd } from './socket-end.ts';

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
