// A quiz for one takes one round trip to Redis per request, and goes on during some outages. [contract 3, 8]
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { quizKey } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, type HttpResponse } from '../support/http-client.ts';
import { ANSWER, createLearner, type Learner, START } from '../support/quizzes.ts';
import { useProxiedService } from '../support/service.ts';

const { stores, postgres, service } = useProxiedService({ hasWords: true });
let learner: Learner;

beforeAll(async () => {
  learner = await createLearner(service);
});
afterEach(() => postgres.unblock());

/** Answers the first question. */
const answer = ({ sessionId, questions }: GameSession): Promise<HttpResponse> =>
  learner.client.post(ANSWER, { sessionId, questionId: questions[0]?.questionId, optionId: 0 });

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
  let session = await learner.start();
  await answer(session);
  const started = await gameCommands(async () => {
    session = await learner.start();
  });
  expect(started).toEqual([expect.stringContaining('] "evalsha" ')]);
  const answered = await gameCommands(() => answer(session));
  expect(answered).toEqual([expect.stringContaining('] "evalsha" ')]);
});

test('a quiz from a deck in memory starts and is answered while PostgreSQL is away', async () => {
  await learner.start();
  await postgres.block();
  const session = await learner.start();
  expect((await answer(session)).status).toBe(200);
});

test('a text that is close is accepted while PostgreSQL is away, where its other prompts are', async () => {
  await learner.start({ answerMode: 'typed' });
  await postgres.block();
  const session = await learner.start({ answerMode: 'typed', questionCount: 50 });
  const verdicts = new Set<string>();
  for (const { questionId } of session.questions) {
    const stored = await service.services.redis.hget(quizKey(session.sessionId), questionId);
    const text = `${stored?.split('\n')[1]}x`;
    const { body } = await learner.client.post(ANSWER, { sessionId: session.sessionId, questionId, text });
    verdicts.add(body.verdict);
  }
  expect(verdicts).toContain('close');
});

test('a quiz from a deck that is not in memory is refused with 503 UNAVAILABLE while PostgreSQL is away', async () => {
  await postgres.block();
  const request = { pos: 'adverb', difficulty: 'A2' };
  expect(codeOf(await learner.client.post(START, request))).toEqual([503, 'UNAVAILABLE']);
  await postgres.unblock();
  await eventually(async () => expect((await learner.client.post(START, request)).status).toBe(201));
});
