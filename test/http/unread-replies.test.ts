// Replies that their readers have not taken have budgets, whatever route they come from, and so has the work of making
// them. [contract 17]
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SessionUser } from '../../src/auth/sessions/user-sessions.ts';
import { createReadLimit, shared, streamed } from '../../src/http/replies.ts';
import { useEdge } from '../support/edge.ts';
import { readMetrics } from '../support/metrics.ts';

const MIB = 1024 * 1024;
/** The buffers of the operating system take some four MiB of a reply, so that its end stays in the service. */
const LARGE = 5 * MIB;
const FILE = Buffer.alloc(LARGE, 'x');

/** The requests that have arrived, those whose handlers run now, and what lets these go on. */
let arrived = 0;
let running = 0;
const goOn: (() => void)[] = [];

const edge = useEdge(addRoutes, { trustProxy: ['loopback'] });
beforeEach(async () => {
  await expect.poll(heldBytes).toBe(0);
  arrived = 0;
});

const heldBytes = async () => (await readMetrics())['quiz_budget_held_bytes{budget="repliesOfReplica"}'] ?? 0;

async function addRoutes(app: FastifyInstance): Promise<void> {
  app.decorateRequest('user', null as unknown as SessionUser);
  app.addHook('onRequest', async (request) => {
    arrived++;
    request.user = { id: String(request.headers['x-user']) } as SessionUser;
  });
  app.get('/text/:bytes', async ({ params }) => 'x'.repeat((params as { bytes: number }).bytes));
  app.get('/buffer', async () => Buffer.alloc(LARGE, 'x'));
  app.get('/json', async () => ({ text: 'x'.repeat(LARGE) }));
  app.get('/stream', async (_request, reply) =>
    reply.header('content-disposition', 'attachment').send(Readable.from(['[', 'x'.repeat(LARGE)])),
  );
  app.get('/file', async (_request, reply) => reply.send(shared(FILE)));
  await app.register(async (scope) => {
    createReadLimit()(scope);
    scope.get('/slow', () => turn().then(() => 'made'));
    scope.get('/parts', async (request, reply) => reply.send(await streamed(request, slowParts())));
  });
}

async function turn(): Promise<void> {
  running++;
  await new Promise<void>((resolve) => goOn.push(resolve));
  running--;
}

async function* slowParts() {
  for (const part of ['one', 'two', 'three']) {
    if (part !== 'one') await turn();
    yield part;
  }
}

type Unread = ReturnType<typeof ask>;

/** Sends a request, and reads no more of the reply than its first bytes. @returns its head, once it is there */
function ask(path: string, { user = 'ada', address = '192.0.2.1', method = 'GET' } = {}) {
  const socket = connect(edge.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = Promise.withResolvers<string>();
  socket.once('data', (bytes) => {
    socket.pause();
    head.resolve(bytes.toString('latin1').split('\r\n\r\n')[0] ?? '');
  });
  socket.on('error', () => {});
  const lines = [`${method} ${path} HTTP/1.1`, 'host: x', `x-user: ${user}`];
  socket.write([...lines, `x-forwarded-for: ${address}`, '', ''].join('\r\n'));
  return { head: () => head.promise, isCut: () => socket.closed, leave: () => void socket.destroy() };
}

const statusOf = async (unread: Unread) => Number((await unread.head()).split(' ')[1]);
const statusesOf = async (all: Unread[]) => {
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(all.map(statusOf))) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const TEXT = `/text/${LARGE}`;

describe('[contract 17] of replies over 64 KiB that are not read', () => {
  it.each([TEXT, '/buffer', '/json', '/stream'])('a user has at most 8 MiB: %s', async (path) => {
    expect(await statusOf(ask(TEXT))).toBe(200);
    const refused = ask(path);
    if (path === '/stream') {
      // Its first part is small.
      expect(await statusOf(refused)).toBe(200);
      await expect.poll(refused.isCut).toBe(true);
    } else {
      expect(await refused.head()).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 5\r\n/is);
      expect(await refused.head()).not.toMatch(/disposition/i);
    }
    expect(await statusOf(ask(`/text/${64 * 1024}`))).toBe(200);
    expect(await statusOf(ask(path, { user: 'ben' }))).toBe(200);
  });

  it('an address has at most 16 MiB', async () => {
    const users = ['ada', 'ben', 'cleo', 'dan'].map((user) => ask(TEXT, { user }));
    expect(await statusesOf(users)).toEqual({ 200: 3, 503: 1 });
    expect(await statusOf(ask(TEXT, { user: 'eve', address: '192.0.2.2' }))).toBe(200);
  });

  it('a replica has at most 64 MiB', async () => {
    const all = Array.from({ length: 15 }, (_, at) => ask(TEXT, { user: `user ${at}`, address: `192.0.2.${at % 5}` }));
    expect(await statusesOf(all)).toEqual({ 200: 12, 503: 3 });
    expect(await statusOf(ask('/text/65536', { address: '192.0.2.9' }))).toBe(200);
  });

  it('none counts any more that is read, or whose reader has gone', async () => {
    for (let count = 0; count < 3; count++) {
      const { statusCode, body } = await edge.app.inject({ url: TEXT, headers: { 'x-user': 'ada' } });
      expect([statusCode, body.length]).toEqual([200, LARGE]);
    }
    for (let count = 0; count < 3; count++) {
      const unread = ask(TEXT);
      expect(await statusOf(unread)).toBe(200);
      unread.leave();
      await expect.poll(heldBytes).toBe(0);
    }
  });

  it('none counts that has no body, or whose bytes all readers share', async () => {
    const heads = [TEXT, '/buffer', '/stream', '/file'].map((path) => ask(path, { method: 'HEAD' }));
    const files = Array.from({ length: 20 }, () => ask('/file'));
    expect(await statusesOf([...heads, ...files])).toEqual({ 200: 24 });
    expect(await heads[0]?.head()).toContain(`content-length: ${LARGE}`);
    expect(await statusOf(ask(TEXT))).toBe(200);
  });
});

describe('[contract 17] of replies that are made at once', () => {
  const others = ['ben', 'cleo', 'dan'].map((user) => ({ user }));

  function letAllGoOn(): void {
    for (const resolve of goOn.splice(0)) resolve();
  }

  async function finishAll(all: Unread[]): Promise<void> {
    const isDone = Promise.all(all.map(statusOf)).then(() => true);
    while (!(await Promise.race([isDone, sleep(5)]))) letAllGoOn();
  }

  it('a user has 3, and an address 6; others wait', async () => {
    const own = Array.from({ length: 8 }, () => ask('/slow'));
    await expect.poll(() => running).toBe(3);
    const neighbours = others.flatMap((reader) => [ask('/slow', reader), ask('/slow', reader)]);
    await expect.poll(() => running).toBe(6);
    const afar = ask('/slow', { user: 'eve', address: '192.0.2.2' });
    await expect.poll(() => running).toBe(7);
    const all = [...own, ...neighbours, afar];
    await finishAll(all);
    expect(await statusesOf(all)).toEqual({ 200: all.length });
    expect(running).toBe(0);
  });

  it('the later parts of a stream count too', async () => {
    const streams = Array.from({ length: 5 }, () => ask('/parts'));
    await expect.poll(() => running).toBe(3);
    await finishAll(streams);
    expect(await statusesOf(streams)).toEqual({ 200: 5 });
    const rest = () => {
      letAllGoOn();
      return running;
    };
    await expect.poll(rest).toBe(0);
  });

  it('none is made for a reader who has gone while waiting', async () => {
    const own = Array.from({ length: 3 }, () => ask('/slow'));
    await expect.poll(() => running).toBe(3);
    const late = ask('/slow');
    await expect.poll(() => arrived).toBe(4);
    late.leave();
    await finishAll(own);
    // Its turn would have come before this one's.
    const next = ask('/slow');
    await expect.poll(() => running).toBe(1);
    await finishAll([next]);
    expect([goOn.length, running]).toEqual([0, 0]);
  });
});
