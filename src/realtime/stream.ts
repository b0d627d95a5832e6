// A stream is a connection by server-sent events, for clients behind proxies that let no WebSocket through. It brings what
// a socket brings; what its client says comes by requests of their own. [contract 24]
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { BUDGETS } from '../budgets.ts';
import { CLOSE_CODES, CLOSE_TIMEOUT_MS, Connection, type ConnectionEvents, type Peer } from './connection.ts';

/** A stream ends after this time, ms, since proxies cut long requests. */
const LIFE_MS = BUDGETS.streamLife.max * 1000;

/** How often a comment goes out, ms, so that neither proxies nor clients take the stream for dead. */
const COMMENT_MS = 15_000;

/** Browsers wait up to 5 s before they come back, unless they are told to come sooner. */
const OPENING = 'retry: 1000\n\n';

const CLOSING = Buffer.from('\n\n');

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx passes on each part of the reply at once.
  'x-accel-buffering': 'no',
};

export class StreamConnection extends Connection {
  readonly #response: ServerResponse;
  readonly #headers: OutgoingHttpHeaders;
  readonly #endsAtMs = performance.now() + LIFE_MS;
  #joined: Promise<void> = Promise.resolve();
  #nextCommentMs = performance.now() + COMMENT_MS;

  /** @param headers those of every response; they go out with the first event, so that until then an error can */
  constructor(response: ServerResponse, headers: OutgoingHttpHeaders, peer: Peer, events: ConnectionEvents) {
    super(peer, events);
    this.#response = response;
    this.#headers = headers;
    response.on('error', () => {}).on('close', () => void this.noteClosed(this.#joined));
  }

  protected get isOpen(): boolean {
    return !this.isClosing && !this.isGone && !this.#response.destroyed;
  }

  protected get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  #begin(): void {
    if (this.#response.headersSent || !this.isOpen) return;
    this.#response.writeHead(200, { ...this.#headers, ...HEADERS });
    this.#response.write(OPENING);
  }

  protected write(text: string | Buffer, id?: string, written?: (error?: Error | null) => void): void {
    this.#begin();
    const opening = Buffer.from(id === undefined ? 'data: ' : `id: ${id}\ndata: `);
    const data = typeof text === 'string' ? Buffer.from(text) : text;
    this.#response.write(Buffer.concat([opening, data, CLOSING]), written);
  }

  protected disconnect(): void {
    this.stream.destroy();
  }

  protected keepAlive(nowMs: number): void {
    if (nowMs >= this.#endsAtMs) this.close(CLOSE_CODES.restart, 'time to reconnect');
    if (nowMs < this.#nextCommentMs || !this.#response.headersSent || !this.isOpen) return;
    this.#nextCommentMs += COMMENT_MS;
    this.#response.write(':\n\n');
  }

  close(code: number, reason: string): void {
    this.isResumed = code === CLOSE_CODES.restart;
    this.#end('close', { code, reason });
  }

  /** The user has left the lobby, or it is closed, so that no event will follow. */
  onRemoved(): void {
    this.#end('end', {});
  }

  /** Sends the first bytes after `join`. @throws what `join` throws where nothing was sent yet, not even the headers */
  async enter(join: () => Promise<void>): Promise<void> {
    const joining = join();
    this.#joined = joining.catch(() => {});
    try {
      await joining;
      this.#begin();
    } catch (error) {
      if (this.isClosing) return;
      if (this.#response.headersSent) this.terminate('failed');
      this.isClosing = true;
      throw error;
    }
  }

  #end(event: 'close' | 'end', data: object): void {
    if (!this.isOpen) return;
    this.#begin();
    this.isClosing = true;
    // A browser drops an event without data.
    this.#response.end(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    setTimeout(() => this.isGone || this.disconnect(), CLOSE_TIMEOUT_MS).unref();
  }
}
