// A player's socket with little work for the bench. It does not use the client library, since the floors do not support
// its protocol, and since an idle socket must do nothing.
import { on, once } from 'node:events';
import WebSocket from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';

/** A member's place in a lobby. */
export interface LobbySeat {
  code: string;
  cookie: string;
}

/** The last event that a client has. */
export interface Cursor {
  since?: number;
  mark?: string;
}

const TIMEOUT_MS = 20_000;

/** @param url the address of the replica */
export async function openWebSocket(url: string, cookie: string, path = '/ws'): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { cookie },
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  return socket.on('error', () => {});
}

export type PlayerSocket = Awaited<ReturnType<typeof openSocket>>;

/** @param url the address of the replica */
export async function openSocket(url: string, cookie: string) {
  const socket = await openWebSocket(url, cookie);
  let last = '{}';
  socket.on('message', (data) => {
    const text = data.toString();
    if (text.includes('"seq":')) last = text;
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  return {
    send,
    /** Joins the lobby, and resolves when its first state, or the first part of what was missed, has arrived. */
    async join(code: string, cursor?: Cursor): Promise<void> {
      const messages = on(socket, 'message', { close: ['close'], signal: AbortSignal.timeout(TIMEOUT_MS) });
      send({ type: 'lobby:join', code, ...cursor, ref: 'join' });
      for await (const [data] of messages) if (JSON.parse(data.toString()).type === 'ack') return;
      throw new Error('A socket was closed.');
    },
    /** Receives every later message. */
    onMessage: (see: (message: ServerMessage) => void) =>
      void socket.on('message', (data) => see(JSON.parse(data.toString()))),
    /** @returns the last event that has come */
    last(): Cursor {
      const { seq, mark } = JSON.parse(last);
      return { since: seq, mark };
    },
    close: () => socket.terminate(),
  };
}

/** Opens the sockets of members of lobbies, and lets them enter, one after the other. */
export async function enterLobbies(url: string, seats: readonly LobbySeat[]): Promise<PlayerSocket[]> {
  const sockets: PlayerSocket[] = [];
  for (const { code, cookie } of seats) {
    const socket = await openSocket(url, cookie);
    await socket.join(code);
    sockets.push(socket);
  }
  return sockets;
}
