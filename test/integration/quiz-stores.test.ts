// What a game for one asks of its stores, and what becomes of it while one of them is away.
// [contract 3, 8]
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, createHttpClient, type HttpClient } from '../support/http-client.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createSignedInUser } from '../support/users.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';

const START = '/api/v1/game/start';

let stores: TestStores;
let postgres: TcpProxy;
let service: TestService;
let client: HttpClient;

beforeAll(async () => {
  stores = await startStores();
  await loadTestVocabulary(stores.databaseUrl);
  const databaseUrl = new URL(stores.databaseUrl);
  postgres = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
  databaseUrl.port = String(postgres.port);
  service = await startService({ redisUrl: stores.redisUrl, databaseUrl: databaseUrl.href });
  const { cookie } = await createSignedInUser(service.services);
  client = createHttpClient(service.url, { cookie });
});
afterEach(() => postgres.unblock());
afterAll(async () => {
  await service.stop();
  await postgres.stop();
  await stores.stop();
});

async function start(): Promise<GameSession> {
  const { status, body } = await client.post(START);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

function answer({ sessionId, questions }: GameSession, index: number): Promise<Answer> {
  const questionId = questions[index]?.questionId;
  return client.post('/api/v1/game/answer', { sessionId, questionId, optionId: 0 });
}

/**
 * Over a connection of its own: ioredis' monitor breaks when it sees a command as early as it is one.
 * @returns the commands about games that Redis was sent while `run` ran
 */
async function gameCommands(run: () => Promise<unknown>): Promise<string[]> {
  const { hostname, port } = new URL(stores.redisUrl);
  const monitor = connect(Number(port), hostname).setEncoding('utf8');
  let seen = '';
  monitor.on('data', (text) => {
    seen += text;
  });
  monitor.write('MONITOR\r\n');
  const redis = new Redis(stores.redisUrl);
  try {
    await eventually(() => expect(seen).toMatch(/^\+OK/));
    await run();
    await redis.echo('over');
    await eventually(() => expect(seen).toContain('"echo" "over"'));
  } finally {
    monitor.destroy();
    redis.disconnect();
  }
  // What a script does is no round trip.
  return seen.split('\r\n').filter((line) => line.includes('game:{') && !line.includes(' lua] '));
}

test('starting and answering are one round trip to Redis each', async () => {
  // The first call of a script sends it in full.
  let session = await start();
  await answer(session, 0);
  const started = await gameCommands(async () => {
    session = await start();
  });
  expect(started).toEqual([expect.stringContaining('] "set" ')]);
  const answered = await gameCommands(() => answer(session, 0));
  expect(answered).toEqual([expect.stringContaining('] "evalsha" ')]);
});

test('a deck in use is played without SQL: also while PostgreSQL is away', async () => {
  await start();
  await postgres.block();
  const session = await start();
  expect((await answer(session, 0)).status).toBe(200);
});

test('a deck that was never used needs PostgreSQL: while it is away, 503 UNAVAILABLE', async () => {
  await postgres.block();
  const request = { pos: 'adverb', difficulty: 'A2' };
  const { status, headers, body } = await client.post(START, request);
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await postgres.unblock();
  await eventually(async () => expect((await client.post(START, request)).status).toBe(201));
});

test.each([
  ['refuses connections', () => postgres.block(), () => postgres.unblock()],
  ['is silent', () => postgres.stall(), () => postgres.unstall()],
])(
  'what is due is PostgreSQL’s to say: while it %s, 503 UNAVAILABLE',
  async (_way, leave, comeBack) => {
    const smart = () => client.post(START, { order: 'smart' });
    expect((await smart()).status).toBe(201);
    await leave();
    const answers = await Promise.all([smart(), smart()]);
    await comeBack();
    for (const { status, headers, body } of answers) {
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await eventually(async () => expect((await smart()).status).toBe(201));
  },
);

test('with Redis down starting and answering are 503 UNAVAILABLE, and go on when it is back', async () => {
  const session = await start();
  await stores.redis.stop();
  for (const reply of [await client.post(START), await answer(session, 0)])
    expect([reply.status, reply.body.code]).toEqual([503, 'UNAVAILABLE']);
  await stores.redis.start();
  await eventually(async () => expect((await client.post(START)).status).toBe(201));
  // The session was kept on disk.
  expect((await answer(session, 1)).status).toBe(200);
});
