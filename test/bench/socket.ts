// A player's socket that records when each message arrives. It does not use the client library, since the
// floors do not support its protocol, and since an idle socket must do nothing.
import WebSocket from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';

/** The last event that a client has. */
export interface Cursor {
  since?: number;
  mark?: string;
}

export interface TimedSocket {
  send(message: object): void;
  /** Waits for the next message that fits; earlier ones do not count. */
  next(fits: (message: ServerMessage) => boolean): Promise<{ message: ServerMessage; atMs: number }>;
  /** Receives every later message. */
  onMessage(see: (message: ServerMessage) => void): void;
  /** @returns the last event that has come */
  last(): Cursor;
  close(): void;
}

const TIMEOUT_MS = 20_000;

type Seen = { message: ServerMessage; atMs: number };

/** @param url the address of the replica */
export async function openSocket(url: string, cookie: string): Promise<TimedSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { cookie }, perMessageDeflate: false });
  const waiting = new Set<(seen: Seen) => void>();
  let last = '';
  socket.on('message', (data) => {
    const atMs = performance.now();
    const text = data.toString();
    if (text.includes('"seq":')) last = text;
    if (waiting.size === 0) return;
    const message = JSON.parse(text) as ServerMessage;
    for (const see of waiting) see({ message, atMs });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return {
    send: (message) => socket.send(JSON.stringify(message)),
    next: (fits) =>
      new Promise((resolve, reject) => {
        const see = (seen: Seen) => {
          if (!fits(seen.message)) return;
          waiting.delete(see);
          clearTimeout(timer);
          resolve(seen);
        };
        const timer = setTimeout(() => reject(new Error('No such message came.')), TIMEOUT_MS);
        waiting.add(see);
      }),
    onMessage: (see) => void waiting.add(({ message }) => see(message)),
    last() {
      const { seq, mark } = last === '' ? {} : JSON.parse(last);
      return { since: seq, mark };
    },
    close: () => socket.terminate(),
  };
}

/** Joins the lobby, and resolves when its first state, or the first part of what was missed, has arrived. */
export async function joinLobbyRoom(socket: TimedSocket, code: string, cursor?: Cursor): Promise<void> {
  const joined = socket.next(({ type }) => type === 'ack');
  socket.send({ type: 'lobby:join', code, ...cursor, ref: 'join' });
  await joined;
}
