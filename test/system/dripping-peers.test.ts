// A peer sends a byte at a time, or reads nothing: the service ends each such connection in a bounded time.
// [contract 17]
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { watchConnections } from '../../src/http/edge/connections.ts';
import { announceState } from '../../src/lobby/event-log.ts';
import { socketsKey } from '../../src/lobby/keys.ts';
import { useArena } from '../support/arena.ts';
import { sendBytes, useEdge } from '../support/edge.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather } from '../support/player.ts';
import { startService, type TestService } from '../support/service.ts';
import { frameOf, handshakeOf } from '../support/upgrade.ts';

/** The interval between two bytes, in ms. It is shorter than any idle timeout, so that none of these fires. */
const DRIP_MS = 300;

/** A connection may be cut so much later than promised, in ms, on a busy machine. */
const GRACE_MS = 10_000;

/**
 * Sends `start`, then a byte every 300 ms.
 * @param reads whether it reads what it gets, or only the first of it
 * @param onReply is called when it has got that
 * @returns what it has read until the connection is cut
 */
function drip(
  port: number,
  start: Buffer | string,
  byte: string,
  reads: boolean | 'first' = false,
  onReply = () => {},
): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(start));
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
    if (reads === 'first') socket.pause();
    onReply();
  });
  if (!reads) socket.pause();
  const dripping = setInterval(() => byte && socket.write(byte), DRIP_MS);
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(received);
    });
  });
}

/** Expects that `ending` resolves in the promised time, to which the grace for a busy machine is added. */
async function expectWithin<T>(limitMs: number, ending: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It has not ended after ${limitMs} ms.`)), limitMs + GRACE_MS);
  return Promise.race([ending, late.promise]).finally(() => clearTimeout(timer));
}

/** Starts a server of Node.js whose connections are watched. */
async function startServer(
  respond: (response: ServerResponse) => void,
  limits: Parameters<typeof watchConnections>[1],
) {
  const server = createServer((_request, response) => respond(response));
  const connections = watchConnections(server, limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, connections, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe.concurrent('a socket whose peer drips and does not read is cut within 3 s', () => {
  const env = { BETTER_AUTH_SECRET: randomBytes(32).toString('hex') };
  const arena = useArena({ workers: 0, replicas: 1, env });
  const replica = () => arena.replicas[0];
  const portOf = ({ url }: TestService) => Number(new URL(url).port);
  const MASK = Buffer.from([1, 2, 3, 4]);
  /** This is the beginning of a frame of 16 KiB, whose payload is the dripped bytes. */
  const LONG_FRAME = Buffer.from([0x81, 0xfe, 0x40, 0x00, ...MASK]);
  const READY = frameOf(JSON.stringify({ type: 'game:ready' }));
  /** Resolves when the socket is open. */
  async function open(port: number, start: Buffer): Promise<{ ending: Promise<string> }> {
    const opened = Promise.withResolvers<void>();
    const ending = drip(port, start, 'x', 'first', opened.resolve);
    await opened.promise;
    return { ending };
  }

  it.each([
    ['1008, a flood', Buffer.concat(Array(300).fill(READY))],
    ['1008, a message without an end', Buffer.from(`\u0001\u0080${'\u0000'.repeat(4)}`, 'latin1')],
    ['1009, a frame over 16 KiB', Buffer.from([0x81, 0xfe, 0x50, 0x00, ...MASK])],
    ['1002, an invalid frame', Buffer.from([0xf1, 0x80, ...MASK])],
    ['its own close frame', Buffer.from([0x88, 0x80, ...MASK])],
  ])('after the service has decided to close it: %s', async (what, bytes) => {
    const [{ user }] = await arena.players('Ada');
    const fragments = what.includes('without') ? Array(200).fill(Buffer.from([0x00, 0x80, ...MASK])) : [];
    const start = Buffer.concat([handshakeOf(user.cookie), bytes, ...fragments, LONG_FRAME]);
    await expectWithin(3000, drip(portOf(replica()), start, 'x'));
  });

  it.each([
    ['without a session', ''],
    ['from a foreign page', 'Origin: https://evil.example\r\n'],
    ['with a body', 'Content-Length: 5000\r\n'],
    ['at a path without sockets', '', '/elsewhere'],
  ])('after its upgrade was refused: %s', async (_what, headers, path = '/ws') => {
    const start = handshakeOf('').toString().replace('/ws', path).replace('Cookie: \r\n', headers);
    await expectWithin(3000, drip(portOf(replica()), start, 'x'));
  });

  it('after its user has signed out, with 4401', async () => {
    const [{ user, http }] = await arena.players('Ada');
    const start = Buffer.concat([handshakeOf(user.cookie), LONG_FRAME]);
    const { ending } = await open(portOf(replica()), start);
    expect((await http.post('/api/auth/sign-out', {})).status).toBe(200);
    await expectWithin(63_000, ending);
  });

  it('after its replica has stopped, with 1012', async () => {
    const [{ user }] = await arena.players('Ada');
    const stopped = await startService(arena.stores, env);
    const { ending } = await open(portOf(stopped), Buffer.concat([handshakeOf(user.cookie), LONG_FRAME]));
    const stopping = stopped.stop();
    await expectWithin(3000, ending);
    await stopping;
  });

  it('after more than 1 MiB waits to be sent', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const code = await gather([ada, ben]);
    const join = frameOf(JSON.stringify({ type: 'lobby:join', code }));
    const start = Buffer.concat([handshakeOf(ben.user.cookie), join, LONG_FRAME]);
    const { ending } = await open(portOf(replica()), start);
    const sockets = socketsKey(lobbyIdOf(ada));
    await expect.poll(() => replica().services.redis.zcard(sockets)).toBe(3);
    let isCut = false;
    void ending.then(() => {
      isCut = true;
    });
    // The buffers of the operating system take several megabytes more.
    for (let made = 0; made < 30_000 && !isCut; made++)
      await announceState(replica().services, lobbyIdOf(ada), 'always');
    await expectWithin(3000, ending);
  });
});

describe.concurrent('an HTTP connection whose peer drips and does not read is cut', () => {
  const edge = useEdge((app) => void app.post('/api/v1/lobbies', async () => ({})));

  const POST = 'POST /api/v1/lobbies HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  it.each([
    ['bytes that are no request', 'nonsense\r\n\r\n', 'x', 1000],
    ['headers that are too large', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}`, 'x', 1000],
    ['a body that is too large', `${POST}Content-Length: 100000000\r\n\r\n{`, ' ', 1000],
    ['headers that do not end', POST, 'a', 30_000],
    ['a body that does not end', `${POST}Content-Length: 5000\r\n\r\n{`, ' ', 30_000],
    ['a body for an unknown path', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n', ' ', 30_000],
    ['a body of tiny chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 30_000],
  ] as [string, string, string, number][])('with %s, in its promised time', async (_what, start, byte, limitMs) => {
    await expectWithin(limitMs, drip(edge.port, start, byte));
  });

  it.each([
    ['without a byte', '', ''],
    ['in its first line', 'POST /api', '/'],
    ['in its headers', POST, 'a'],
    ['in its body', `${POST}Content-Length: 5000\r\n\r\n{`, ' '],
    ['in its chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ])('within 30 s, with a 408 if the peer reads: a request that is slow %s', async (_what, start, byte) => {
    const answer = await expectWithin(30_000, drip(edge.port, start, byte, true));
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
    expect(answer).toMatch(/cache-control: no-store/i);
  });
});

describe.concurrent('a stalled HTTP connection is closed', () => {
  /** Ten times the pause between two requests. */
  const STILL_MAX_MS = 3000;
  const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  /** The operating system takes such a part at once, if the client reads. */
  const PART = Buffer.alloc(64 * 1024);
  /** The operating system's buffers take less than so many parts, so that the rest stays in the service. */
  const LARGE = 1024;

  /** A response in parts, with a pause before each of them. */
  async function* inParts(parts: number, pauseMs: number) {
    for (let part = 0; part < parts; part++) {
      if (pauseMs > 0) await sleep(pauseMs);
      yield PART;
    }
  }

  const limits = { stallMaxMs: STILL_MAX_MS };
  const ok = (response: ServerResponse) => response.end('ok');

  it.each([
    ['blank lines follow an answered request', ok, '\r\n'],
    [
      'the client does not read a large response',
      (response: ServerResponse) => response.end(Buffer.alloc(LARGE * PART.length)),
      '\r\n',
    ],
    [
      'the client does not read a large response that is made in parts',
      (response: ServerResponse) => Readable.from(inParts(LARGE, 0)).pipe(response),
      '\r\n',
    ],
  ])('if %s', async (_what, respond, byte) => {
    const { port, close } = await startServer(respond, limits);
    await expectWithin(STILL_MAX_MS + 1000, drip(port, GET, byte));
    await close();
  });

  it('unless its client reads the parts of a response that takes long to make', async () => {
    const pauseMs = STILL_MAX_MS / 10;
    const respond = (response: ServerResponse) => {
      // A busy machine may be late with the first part, and a response that hasn't begun in time is a stalled one.
      response.flushHeaders();
      Readable.from(inParts(25, pauseMs)).pipe(response);
    };
    const { port, close } = await startServer(respond, limits);
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
    expect((await answer.arrayBuffer()).byteLength).toBe(25 * PART.length);
    await close();
  });

  it('unless its client continues with requests', async () => {
    const { port, close } = await startServer(ok, limits);
    let isCut = false;
    const ending = drip(port, GET, GET).then(() => {
      isCut = true;
    });
    await sleep(2 * STILL_MAX_MS);
    expect(isCut).toBe(false);
    await Promise.all([close(), ending]);
  });
});

describe('a server that stops', () => {
  const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  /**
   * Starts a server, sends it two requests in one packet, and stops it.
   * @param respond is called with each response, and a promise that resolves when the server has begun to stop
   * @returns what is received until the connection ends
   */
  async function startWithTwoRequests(
    stopMaxMs: number,
    respond: (response: ServerResponse, stopping: Promise<void>) => void,
  ) {
    const stopping = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const respondOnce = (response: ServerResponse) => {
      respond(response, stopping.promise);
      begun.resolve();
    };
    const { port, connections, close } = await startServer(respondOnce, { stopMaxMs });
    const received = sendBytes(port, REQUEST + REQUEST).catch(() => 'reset');
    await begun.promise;
    const stopped = close();
    connections.stop();
    stopping.resolve();
    return { received, stopped };
  }

  it('finishes all requests under way, also one that was sent ahead', async () => {
    const { received, stopped } = await startWithTwoRequests(30_000, async (response, stopping) => {
      await stopping;
      response.end('ok');
    });
    await stopped;
    expect((await received).match(/200 OK/g)).toHaveLength(2);
  });

  it('waits for them for a bounded time', async () => {
    const { received, stopped } = await startWithTwoRequests(1000, () => {});
    await stopped;
    expect(await received).not.toContain('200 OK');
  });
});
