// A player's socket that notes when a message came in, at the moment when it does. Not the client
// library: the floors speak none of its protocol, and an idle socket has to be idle.
import WebSocket from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';

export interface TimedSocket {
  send(message: object): void;
  /** Waits for the next message that fits; one that came before doesn't count. */
  next(
    fits: (message: ServerMessage) => boolean,
  ): Promise<{ message: ServerMessage; atMs: number }>;
  /** Gets every message from now on. */
  onMessage(see: (message: ServerMessage) => void): void;
  close(): void;
}

const TIMEOUT_MS = 20_000;

type Seen = { message: ServerMessage; atMs: number };

/** @param url the replica's */
export async function openSocket(url: string, cookie: string): Promise<TimedSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { cookie },
    perMessageDeflate: false,
  });
  const waiting = new Set<(seen: Seen) => void>();
  socket.on('message', (data) => {
    const atMs = performance.now();
    if (waiting.size === 0) return;
    const message = JSON.parse(data.toString()) as ServerMessage;
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
    close: () => socket.terminate(),
  };
}

/** Enters the lobby; returns when its first state has come. */
export async function joinLobbyRoom(socket: TimedSocket, code: string): Promise<void> {
  const joined = socket.next(({ type }) => type === 'lobby:state');
  socket.send({ type: 'lobby:join', code });
  await joined;
}
