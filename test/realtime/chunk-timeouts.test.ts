// A connection waits a limited time for its client to take a chunk of a replay. [contract 17, 19]
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { Connection } from '../../src/realtime/connection.ts';
import { SocketConnection } from '../../src/realtime/socket.ts';
import { StreamConnection } from '../../src/realtime/stream.ts';
import { eventually } from '../support/eventually.ts';

const CHUNK_BYTES = 64 * 1024;
const CHUNK_TIMEOUT_MS = 1000;

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

const user = { id: randomUUID(), name: 'Ada', email: '', sessionId: '', isAnonymous: false };
const events = {
  chunkTimeoutMs: CHUNK_TIMEOUT_MS,
  isSignedIn: async () => true,
  dispatch: async () => {},
  logger: createLogger('silent', 'test'),
  onClose: async () => {},
};

async function listen(): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** @returns a connection, and its client, whose `cut` resolves when the connection was cut */
async function connectSocket() {
  const sockets = new WebSocketServer({ noServer: true, autoPong: false });
  server = createServer();
  const connected = Promise.withResolvers<Connection>();
  server.on('upgrade', (request, stream, head) =>
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const peer = { user, cookie: undefined, address: '127.0.0.1', stream };
      connected.resolve(new SocketConnection(socket, peer, events));
    }),
  );
  const client = new WebSocket(`ws://${await listen()}/ws`);
  client.on('error', () => {});
  await once(client, 'open');
  const reader = {
    pause: () => client.pause(),
    resume: () => client.resume(),
    drop: () => client.terminate(),
    read: (onText: (text: string) => void) => void client.on('message', (data) => onText(data.toString())),
    cut: once(client, 'close').then(([code]) => expect(code).toBe(1006)),
  };
  return { connection: await connected.promise, client: reader };
}

async function connectStream() {
  server = createServer();
  const connected = Promise.withResolvers<Connection>();
  server.on('request', async (request, response) => {
    const peer = { user, cookie: undefined, address: '127.0.0.1', stream: request.socket };
    const stream = new StreamConnection(response, {}, peer, events);
    await stream.enter(async () => {});
    connected.resolve(stream);
  });
  const sent = get(`http://${await listen()}`, { agent: false });
  const [client] = (await once(sent, 'response')) as [IncomingMessage];
  const cut = new Promise((resolve) => client.on('error', resolve));
  let rest = '';
  const reader = {
    pause: () => client.pause(),
    resume: () => client.resume(),
    drop: () => sent.destroy(),
    read(onText: (text: string) => void) {
      client.setEncoding('latin1').on('data', (part: string) => {
        const blocks = (rest + part).split('\n\n');
        rest = blocks.pop() as string;
        for (const block of blocks) if (block.startsWith('data: ')) onText(block.slice('data: '.length));
      });
    },
    cut,
  };
  return { connection: await connected.promise, client: reader };
}

describe.each([
  ['a socket', connectSocket],
  ['a stream', connectStream],
])('a reader of %s', (_kind, connect) => {
  const chunk = Array.from({ length: 4 }, () => Buffer.alloc(CHUNK_BYTES / 4, 'x'));

  it('that does not take a chunk in time is cut', async () => {
    const { connection, client } = await connect();
    client.pause();
    // The operating system's buffers take the first chunks for the client.
    do connection.sendChunk(chunk);
    while (await connection.taken);
    client.resume();
    await client.cut;
    await eventually(() => expect(connection.isGone).toBe(true));
  });

  it('that takes a message longer than a chunk has as much more time', async () => {
    const { connection, client } = await connect();
    client.pause();
    // The operating system's buffers take less of it for the client.
    connection.sendChunk([Buffer.alloc(512 * CHUNK_BYTES, 'x')]);
    await sleep(2 * CHUNK_TIMEOUT_MS);
    client.resume();
    expect(await connection.taken).toBe(true);
    client.drop();
  });

  it('that takes each chunk slowly, but in time, is not cut, and its backpressure limit does not count the chunk', async () => {
    const { connection, client } = await connect();
    let bytes = 0;
    client.read(({ length }) => {
      bytes += length;
    });
    client.pause();
    let isSlow = true;
    const reading = setInterval(() => {
      client.resume();
      setTimeout(() => isSlow && client.pause(), 5);
    }, 100);
    for (let sent = 0; sent < 300; sent++) {
      connection.sendChunk(chunk);
      expect(await connection.taken).toBe(true);
      connection.send('live');
    }
    clearInterval(reading);
    isSlow = false;
    client.resume();
    await eventually(() => expect(bytes).toBe(300 * (CHUNK_BYTES + 'live'.length)));
    client.drop();
  });
});
