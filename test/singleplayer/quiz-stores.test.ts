// A quiz for one takes one round trip to Redis per request, and goes on during some outages. [contract 3, 8]
import { Redis } from 'ioredis';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { quizKey } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf } from '../support/http-client.ts';
import { createLearner, give, type Learner, START } from '../support/quizzes.ts';
import { useProxiedService } from '../support/service.ts';

const { postgres, service } = useProxiedService({ hasWords: true });
let learner: Learner;

beforeAll(async () => {
  learner = await createLearner(service);
});
afterEach(() => postgres.unblock());

/** Answers the first question. */
const answer = (session: GameSession) => give(learner.client, session, 0);

/** @returns the names of the commands with keys of quizzes that are sent to Redis while `run` runs */
async function gameCommands(run: () => Promise<unknown>): Promise<string[]> {
  const send = vi.spyOn(Redis.prototype, 'sendCommand');
  await run();
  const commands = send.mock.calls.filter(([{ args }]) => args.some((arg) => String(arg).includes('game:{')));
  send.mockRestore();
  return commands.map(([{ name }]) => name);
}

test('starting and answering are one round trip to Redis each', async () => {
  // The first call of a script sends its whole source.
  let session = await learner.start();
  await answer(session);
  const started = await gameCommands(async () => {
    session = await learner.start();
  });
  expect(started).toEqual(['evalsha']);
  expect(await gameCommands(() => answer(session))).toEqual(['evalsha']);
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
  for (const [index, { questionId }] of session.questions.entries()) {
    const stored = await service.services.redis.hget(quizKey(session.sessionId), questionId);
    const { body } = await give(learner.client, session, index, { text: `${stored?.split('\n')[1]}x` });
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
