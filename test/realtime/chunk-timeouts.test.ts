// A connection waits a limited time for its client to take a chunk of a replay. [contract 17, 19]
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { Connection } from '../../src/realtime/connection.ts';
import { SocketConnection } from '../../src/realtime/socket.ts';
import { StreamConnection } from '../../src/realtime/stream.ts';
import { eventually } from '../support/eventually.ts';
import { LINES, type LineKind } from '../support/player.ts';

const CHUNK_BYTES = 64 * 1024;
const CHUNK_TIMEOUT_MS = 1000;

const LIVE = '"live"';
/** @returns a message of so many bytes */
const textOf = (bytes: number) => Buffer.from(`"${'x'.repeat(bytes - 2)}"`);

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

/** @returns a connection, and its client, which counts what it gets */
async function connect(kind: LineKind) {
  const sockets = new WebSocketServer({ noServer: true });
  const connected = Promise.withResolvers<Connection>();
  const peerOf = (stream: Duplex) => ({ user, cookie: undefined, address: '127.0.0.1', stream });
  server = createServer(async ({ socket }, response) => {
    const stream = new StreamConnection(response, {}, peerOf(socket), events);
    await stream.enter(async () => {});
    connected.resolve(stream);
  });
  server.on('upgrade', (request, stream, head) =>
    sockets.handleUpgrade(request, stream, head, (socket) =>
      connected.resolve(new SocketConnection(socket, peerOf(stream), events)),
    ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  let bytes = 0;
  const closed = Promise.withResolvers<number>();
  const client = await LINES[kind](`http://127.0.0.1:${port}`, '', {
    message: (message) => {
      bytes += JSON.stringify(message).length;
    },
    close: closed.resolve,
  });
  // The client of a stream opens it by this message.
  if (kind === 'stream') client.send('{"type":"lobby:join"}');
  const connection = await connected.promise;
  connection.send(LIVE);
  await eventually(() => expect(bytes).toBe(LIVE.length));
  return { connection, client, bytes: () => bytes, closed: closed.promise };
}

describe.each(['socket', 'stream'] as const)('a reader of a %s', (kind) => {
  const chunk = Array.from({ length: 4 }, () => textOf(CHUNK_BYTES / 4));

  it('that does not take a chunk in time is cut', async () => {
    const { connection, client, closed } = await connect(kind);
    client.pause();
    // The operating system's buffers take the first chunks for the client.
    do connection.sendChunk(chunk);
    while (await connection.taken);
    client.resume();
    expect(await closed).toBe(1006);
    await eventually(() => expect(connection.isGone).toBe(true));
  });

  it('that takes a message longer than a chunk has as much more time', async () => {
    const { connection, client } = await connect(kind);
    client.pause();
    // The operating system's buffers take less of it for the client.
    connection.sendChunk([textOf(512 * CHUNK_BYTES)]);
    await sleep(2 * CHUNK_TIMEOUT_MS);
    client.resume();
    expect(await connection.taken).toBe(true);
    client.terminate();
  });

  it('that takes each chunk slowly, but in time, is not cut, and its backpressure limit does not count the chunk', async () => {
    const { connection, client, bytes } = await connect(kind);
    client.pause();
    let isSlow = true;
    const reading = setInterval(() => {
      client.resume();
      setTimeout(() => isSlow && client.pause(), 5);
    }, 100);
    for (let sent = 0; sent < 300; sent++) {
      connection.sendChunk(chunk);
      expect(await connection.taken).toBe(true);
      connection.send(LIVE);
    }
    clearInterval(reading);
    isSlow = false;
    client.resume();
    await eventually(() => expect(bytes()).toBe(LIVE.length + 300 * (CHUNK_BYTES + LIVE.length)));
    client.terminate();
  });
});
