// A WebSocket that remembers: given to the client library, it notes every frame that is said and heard,
// which the library itself shows to nobody, and can break on purpose.
import WebSocket from 'ws';
import type { WebSocketLike } from '../client/index.ts';
import type { LiveSocket } from '../client/live.ts';
import type { ClientMessage, ErrorMessage, ServerMessage } from '../client/types.ts';
import type { Aside, Client, Connected, Received, Sent } from './history.ts';

export interface Recorder extends Pick<Client, 'received' | 'asides' | 'sent' | 'connections'> {
  /** For `createClient`. */
  WebSocket: WebSocketLike;
  /** Why connections that had been open ended by themselves. */
  closeCodes: number[];
  /** Says what the library itself never says, if there is a connection. */
  say(message: ClientMessage): void;
  /** Breaks the connection without a word. */
  drop(): void;
}

/** @param handshakeTimeoutMs after which a connection that does not open is given up */
export function createRecorder(handshakeTimeoutMs = 10_000): Recorder {
  const received: Received[] = [];
  const asides: Aside[] = [];
  const sent: Sent[] = [];
  const connections: Connected[] = [];
  const closeCodes: number[] = [];
  /** What the library itself calls each message. */
  const refs: (string | undefined)[] = [];
  let current: RecordedSocket | undefined;

  class RecordedSocket implements LiveSocket {
    onopen: LiveSocket['onopen'] = null;
    onmessage: LiveSocket['onmessage'] = null;
    onclose: LiveSocket['onclose'] = null;
    onerror: LiveSocket['onerror'] = null;
    readonly #socket: WebSocket;
    readonly #index = connections.length;
    readonly #life: Connected = { wantedAtMs: Date.now(), openedAtMs: null, closedAtMs: null };

    constructor(url: string, options?: object) {
      connections.push(this.#life);
      const handshakeTimeout = handshakeTimeoutMs;
      this.#socket = new WebSocket(url, { ...options, handshakeTimeout });
      current = this;
      this.#socket.on('open', () => {
        this.#life.openedAtMs = Date.now();
        this.onopen?.();
      });
      this.#socket.on('message', (data) => {
        // The library hears no more of a socket that it has given up.
        if (this.onmessage) this.#hear(JSON.parse(data.toString()) as ServerMessage);
      });
      this.#socket.on('close', (code) => {
        if (!this.#life.closedAtMs && this.#life.openedAtMs) closeCodes.push(code);
        this.#life.closedAtMs ??= Date.now();
        this.onclose?.({ code });
      });
      this.#socket.on('error', () => this.onerror?.());
    }

    #hear(message: ServerMessage): void {
      const atMs = Date.now();
      const connection = this.#index;
      if ('seq' in message) received.push({ event: message, atMs, connection });
      else if (message.type !== 'error')
        asides.push({ message, atMs, connection, after: received.length });
      const heard = message.type === 'error' ? this.#refused(message, atMs) : message;
      this.onmessage?.({ data: JSON.stringify(heard) });
    }

    #refused(error: ErrorMessage, atMs: number): ErrorMessage {
      const index = Number(error.ref);
      const refusal = sent[index];
      if (!refusal) return error;
      refusal.refusal = { code: error.code, reason: error.reason, atMs };
      return { ...error, ref: refs[index] };
    }

    send(text: string): void {
      if (this.#socket.readyState !== WebSocket.OPEN) return;
      const message = JSON.parse(text) as ClientMessage;
      refs.push(message.ref);
      // By its number each refusal finds what it refuses.
      const named = { ...message, ref: `${sent.length}` };
      sent.push({ message: named, atMs: Date.now(), connection: this.#index, refusal: null });
      this.#socket.send(JSON.stringify(named), () => {});
    }

    close(): void {
      this.#life.closedAtMs ??= Date.now();
      this.#socket.close();
    }

    terminate(): void {
      this.#socket.terminate();
    }
  }

  return {
    ...{ received, asides, sent, connections, closeCodes, WebSocket: RecordedSocket },
    say: (message) => current?.send(JSON.stringify(message)),
    drop: () => current?.terminate(),
  };
}
