// An API replica as a process: how it starts, refuses to start, and stops.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, isPortFree } from '../../src/tools/dev/ports.ts';
import { startProgram } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { processEnv } from '../support/replica-process.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { useStores } from '../support/stores.ts';

type Replica = Awaited<ReturnType<typeof spawnReplica>>;

const stores = useStores();

/** Starts a replica, which is killed after the test if it still runs. */
async function spawnReplica(env: NodeJS.ProcessEnv = {}) {
  const port = Number(env.PORT ?? (await freePort()));
  const metricsPort = Number(env.METRICS_PORT ?? (await freePort()));
  const own = { ...SHORT_OUTAGES, LOG_LEVEL: 'info', PORT: `${port}`, METRICS_PORT: `${metricsPort}`, ...env };
  const program = startProgram(['src/server.ts'], processEnv(stores, `http://localhost:${port}`, own));
  onTestFinished(async () => void (await program.end('SIGKILL')));
  return { ...program, port, metricsPort };
}

async function startReplica(env: NodeJS.ProcessEnv = {}): Promise<Replica> {
  const replica = await spawnReplica(env);
  await eventually(async () => expect(await health(replica)).toMatchObject([200, {}]), { timeoutMs: 60_000 });
  return replica;
}

async function health({ port }: Replica, path = '') {
  const answer = await fetch(`http://127.0.0.1:${port}/api/health${path}`, { headers: { connection: 'close' } });
  return [answer.status, await answer.json()];
}

const ready = (replica: Replica) => health(replica, '/ready');

/** Sends a sign-in without the end of its body; `finish` sends the rest. */
function slowSignIn({ port }: Replica) {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong-password' });
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/auth/sign-in/email',
    agent: new Agent({ keepAlive: true }),
    headers: { 'content-type': 'application/json', 'content-length': body.length, origin: `http://localhost:${port}` },
  });
  const answer = once(sent, 'response').then(([reply]) => reply as IncomingMessage);
  answer.catch(() => {});
  const begun = new Promise<void>((resolve) => {
    sent.write(body.slice(0, 10), () => resolve());
  });
  return { begun, answer, finish: () => sent.end(body.slice(10)) };
}

/** Expects metrics by route on a port of their own, and never on the public one. [contract 7] */
async function expectMetrics({ port, metricsPort }: Replica): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/api/v1/games/0b3e7d4c-58a5-4a43-8f0b-6d9f5d8e2a11`);
  await fetch(`http://127.0.0.1:${port}/nope/some-unbounded-value`);
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await metrics.text();
  for (const route of ['/api/v1/games/:gameId', 'none'])
    expect(text).toContain(`http_request_duration_seconds_count{method="GET",route="${route}",status="4xx"} 1`);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).not.toMatch(/0b3e7d4c|unbounded/);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
}

describe('[contract 10] a replica that gets SIGTERM', () => {
  it('reports draining, completes open requests, closes idle connections, and exits with 0', async () => {
    const replica = await startReplica();
    const idle = new Agent({ keepAlive: true });
    const [reply] = await once(get(`http://127.0.0.1:${replica.port}/api/health/live`, { agent: idle }), 'response');
    await once(reply.resume(), 'end');
    const signIn = slowSignIn(replica);
    await signIn.begun;
    expect(await ready(replica)).toEqual([200, { status: 'ok' }]);
    await expectMetrics(replica);
    void replica.end('SIGTERM');
    const signalledAt = performance.now();
    await eventually(async () => expect(await ready(replica)).toEqual([503, { status: 'draining' }]));
    expect(await health(replica)).toMatchObject([503, { status: 'draining' }]);
    // The replica refuses new connections now, and still waits for the open request.
    await eventually(async () => expect(await isPortFree(replica.port)).toBe(true));
    // The replica waits so long for balancers to notice. [contract 18]
    expect(performance.now() - signalledAt).toBeGreaterThan(1000);
    signIn.finish();
    const answer = await signIn.answer;
    expect(answer.statusCode).toBe(401);
    expect(answer.headers.connection).toBe('close');
    expect(answer.headers['x-request-id']).toMatch(/^req-/);
    answer.resume();
    expect(await replica.ended).toBe(0);
    expect(replica.log()).toContain('"msg":"stopped"');
    idle.destroy();
  });

  it('closes connections without a request under way at once, whatever they have sent', async () => {
    const replica = await startReplica();
    const live = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const sent = ['', 'GE', 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-', live, `${live}GET /`];
    const connected = [replica.port, replica.metricsPort].flatMap((port) =>
      sent.map(async (text) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        socket.on('error', () => {}).resume();
        await once(socket, text.startsWith(live) ? 'data' : 'connect');
        return { ended: once(socket, 'close') };
      }),
    );
    const connections = await Promise.all(connected);
    void replica.end('SIGTERM');
    const signalledAt = performance.now();
    expect(await replica.ended).toBe(0);
    // A silent connection alone would keep Node.js for half a minute.
    expect(performance.now() - signalledAt).toBeLessThan(15_000);
    await Promise.all(connections.map(({ ended }) => ended));
    expect(replica.log().split('"msg":"stopping"')[1]).not.toMatch(/"level":[456]0/);
  });
});

describe('a replica that cannot work reports why in one line and exits with 1', () => {
  /** @returns the lines of a replica that ends by itself */
  async function linesOf(env: NodeJS.ProcessEnv): Promise<string[]> {
    const replica = await spawnReplica(env);
    expect(await replica.ended).toBe(1);
    return replica.log().trim().split('\n');
  }

  async function expectFatal(env: NodeJS.ProcessEnv, reason: string): Promise<void> {
    const fatal = (await linesOf(env)).map((line) => JSON.parse(line)).filter(({ level }) => level === 60);
    expect(fatal).toMatchObject([{ msg: expect.stringContaining(reason) }]);
  }

  it('[contract 8] if the configuration is invalid, with one line per variable', async () => {
    const lines = await linesOf({ LOG_LEVEL: 'loud', REDIS_URL: '', DATABASE_URL: '' });
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'REDIS_URL']);
  });

  it.each(['PORT', 'METRICS_PORT'])('if the port in %s is in use', async (variable) => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    await expectFatal({ [variable]: `${port}` }, `port ${port} (${variable})`);
  });

  it('if Redis would evict games', async () => {
    const redis = new Redis(stores.redisUrl);
    onTestFinished(async () => {
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      redis.disconnect();
    });
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expectFatal({}, 'set maxmemory-policy to noeviction');
  });

  it('but starts while the stores are unavailable, and works once they are available', async () => {
    await stores.redis.stop();
    onTestFinished(() => stores.redis.start());
    const replica = await spawnReplica();
    const isDown = [503, { checks: { redis: 'down' } }];
    await eventually(async () => expect(await health(replica)).toMatchObject(isDown), { timeoutMs: 60_000 });
    expect(await ready(replica)).toEqual([503, { status: 'starting' }]);
    await stores.redis.start();
    await eventually(async () => expect(await health(replica)).toMatchObject([200, {}]));
    expect(await ready(replica)).toEqual([200, { status: 'ok' }]);
  });
});
