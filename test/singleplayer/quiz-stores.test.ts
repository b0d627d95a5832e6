// A quiz for one takes one round trip to Redis per request, and goes on during some outages. [contract 3, 8]
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { quizKey } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { eventually } from '../support/eventually.ts';
import type { HttpClient, HttpResponse } from '../support/http-client.ts';
import { useProxiedService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

const START = '/api/v1/game/start';

const { stores, postgres, service } = useProxiedService({ hasWords: true });
let client: HttpClient;

beforeAll(async () => {
  ({ client } = await createPerson(service));
});
afterEach(() => postgres.unblock());

async function start(): Promise<GameSession> {
  const { status, body } = await client.post(START);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

function answer({ sessionId, questions }: GameSession, index: number): Promise<HttpResponse> {
  const questionId = questions[index]?.questionId;
  return client.post('/api/v1/game/answer', { sessionId, questionId, optionId: 0 });
}

/**
 * Monitors Redis over a raw connection, since ioredis' monitor fails when a command arrives together with the
 * reply to MONITOR.
 * @returns the commands with keys of quizzes that Redis received while `run` ran
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
  // The commands of a script are no round trips.
  return seen.split('\r\n').filter((line) => line.includes('game:{') && !line.includes(' lua] '));
}

test('starting and answering are one round trip to Redis each', async () => {
  // The first call of a script sends its whole source.
  let session = await start();
  await answer(session, 0);
  const started = await gameCommands(async () => {
    session = await start();
  });
  expect(started).toEqual([expect.stringContaining('] "evalsha" ')]);
  const answered = await gameCommands(() => answer(session, 0));
  expect(answered).toEqual([expect.stringContaining('] "evalsha" ')]);
});

test('a quiz from a deck in memory starts and is answered while PostgreSQL is away', async () => {
  await start();
  await postgres.block();
  const session = await start();
  expect((await answer(session, 0)).status).toBe(200);
});

test('a text that is close is accepted while PostgreSQL is away, where its other prompts are', async () => {
  await client.post(START, { answerMode: 'typed' });
  await postgres.block();
  const { status, body: session } = await client.post(START, { answerMode: 'typed', questionCount: 50 });
  expect(status).toBe(201);
  const verdicts = new Set<string>();
  for (const { questionId } of session.questions) {
    const stored = await service.services.redis.hget(quizKey(session.sessionId), questionId);
    const text = `${stored?.split('\n')[1]}x`;
    const answered = { sessionId: session.sessionId, questionId, text };
    const { body } = await client.post('/api/v1/game/answer', answered);
    verdicts.add(body.verdict);
  }
  expect(verdicts).toContain('close');
});

test('a quiz from a deck that is not in memory is refused with 503 UNAVAILABLE while PostgreSQL is away', async () => {
  await postgres.block();
  const request = { pos: 'adverb', difficulty: 'A2' };
  const { status, headers, body } = await client.post(START, request);
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await postgres.unblock();
  await eventually(async () => expect((await client.post(START, request)).status).toBe(201));
});

test('starting and answering are refused with 503 UNAVAILABLE while Redis is away, and work after its return', async () => {
  const session = await start();
  await stores.redis.stop();
  for (const reply of [await client.post(START), await answer(session, 0)])
    expect([reply.status, reply.body.code]).toEqual([503, 'UNAVAILABLE']);
  await stores.redis.start();
  await eventually(async () => expect((await client.post(START)).status).toBe(201));
  // Redis has loaded the session from its append-only file.
  expect((await answer(session, 1)).status).toBe(200);
});
