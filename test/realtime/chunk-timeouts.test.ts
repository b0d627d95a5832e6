// A connection waits a limited time for its client to take a chunk of a replay. [contract 17, 19]
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { type Connection, createConnection } from '../../src/realtime/connection.ts';
import { eventually } from '../support/eventually.ts';

const CHUNK_BYTES = 64 * 1024;

describe('a reader', () => {
  const CHUNK_TIMEOUT_MS = 1000;
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  /** Opens a connection of the service and the client at its other end. */
  async function connect(): Promise<{ connection: Connection; client: WebSocket }> {
    const sockets = new WebSocketServer({ noServer: true, autoPong: false });
    server = createServer();
    const connected = Promise.withResolvers<Connection>();
    server.on('upgrade', (request, stream, head) =>
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const user = { id: randomUUID(), name: 'Ada', email: '', sessionId: '', isAnonymous: false };
        connected.resolve(
          createConnection(
            socket,
            { user, cookie: undefined, address: '127.0.0.1', stream },
            {
              chunkTimeoutMs: CHUNK_TIMEOUT_MS,
              isSignedIn: async () => true,
              onMessage: async () => {},
              onClose: async () => {},
            },
          ),
        );
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const client = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    client.on('error', () => {});
    await once(client, 'open');
    return { connection: await connected.promise, client };
  }

  const chunk = Array.from({ length: 4 }, () => Buffer.alloc(CHUNK_BYTES / 4, 'x'));

  it('that does not take a chunk in time is cut', async () => {
    const { connection, client } = await connect();
    client.pause();
    // The operating system's buffers take the first chunks for the client.
    while (await connection.sendChunk(chunk));
    client.resume();
    const [code] = await once(client, 'close');
    expect(code).toBe(1006);
    await eventually(() => expect(connection.isGone).toBe(true));
  });

  it('that takes a message longer than a chunk has as much more time', async () => {
    const { connection, client } = await connect();
    client.pause();
    // The operating system's buffers take less of it for the client.
    const taken = connection.sendChunk([Buffer.alloc(512 * CHUNK_BYTES, 'x')]);
    await sleep(2 * CHUNK_TIMEOUT_MS);
    client.resume();
    expect(await taken).toBe(true);
    client.terminate();
  });

  it('that takes each chunk slowly, but in time, is not cut, and its backpressure limit does not count the chunk', async () => {
    const { connection, client } = await connect();
    let bytes = 0;
    client.on('message', (data: Buffer) => {
      bytes += data.length;
    });
    client.pause();
    const reading = setInterval(() => {
      client.resume();
      setTimeout(() => client.pause(), 5);
    }, 100);
    for (let sent = 0; sent < 300; sent++) {
      expect(await connection.sendChunk(chunk)).toBe(true);
      connection.send('live');
    }
    clearInterval(reading);
    client.resume();
    await eventually(() => expect(bytes).toBe(300 * (CHUNK_BYTES + 'live'.length)));
    client.terminate();
  });
});
