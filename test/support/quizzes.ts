// Quizzes for one, played over HTTP: by a signed-in user on two replicas, or by a learner.
import { createHash } from 'node:crypto';
import { Cluster } from 'ioredis';
import { beforeAll, expect } from 'vitest';
import type { Progress } from '../../src/learning/schema.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { quizKey, reviewsKey } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { codeOf, type HttpClient, type HttpResponse } from './http-client.ts';
import { type TestService, useReplicas } from './service.ts';
import { createPerson, type TestUser } from './users.ts';

export const START = '/api/v1/game/start';
export const ANSWER = '/api/v1/game/answer';

export function useQuizzes() {
  const { replicas, stores } = useReplicas(2, {}, { hasWords: true });
  const [here, there] = replicas as [TestService, TestService];
  const user = {} as TestUser;
  const [client, elsewhere] = [{}, {}] as [HttpClient, HttpClient];
  const redis = (): RedisClient => here.services.redis;
  beforeAll(async () => {
    const person = await createPerson(here);
    Object.assign(user, person.user);
    Object.assign(client, person.client);
    Object.assign(elsewhere, client.at(there.url));
  });

  return {
    stores,
    here,
    there,
    user,
    /** The user's client of the replica `here`, and of `there`. */
    client,
    elsewhere,
    redis,
    newClient: async (replica = here): Promise<HttpClient> => (await createPerson(replica)).client,
    start: (request?: object, browser = client) => start(browser, request),
    answer: (session: GameSession, index: number, optionId: number, browser = client) =>
      give(browser, session, index, { optionId }),
    /** @returns the right option, read from Redis */
    correctOption: ({ sessionId }: GameSession, questionId: string): Promise<number> =>
      correctOptionId(redis(), sessionId, questionId),
    /** @returns whether a question of the session is not answered yet */
    async isLive(sessionId: string): Promise<boolean> {
      const [answered, total] = await redis().hmget(quizKey(sessionId), 'answered', 'total');
      return answered !== total;
    },
    /** @returns the session's keys in Redis, without that of its judgements, which exist until they are learned */
    async keysOf(sessionId: string): Promise<string[]> {
      const client = redis();
      const servers = client instanceof Cluster ? client.nodes('master') : [client];
      const keys = await Promise.all(servers.map((server) => server.keys(`*${sessionId}*`)));
      return keys.flat().filter((key) => key !== reviewsKey(sessionId));
    },
  };
}

type Session = Pick<GameSession, 'sessionId' | 'questions'>;

/** Answers the question at `index` of a quiz or an attempt. @param given an option, or a text */
export function give(
  client: HttpClient,
  { sessionId, questions }: Session,
  index: number,
  given: object = { optionId: 0 },
  headers?: Record<string, string>,
): Promise<HttpResponse> {
  return client.post(ANSWER, { sessionId, questionId: questions[index]?.questionId, ...given }, headers);
}

/** @returns the commitment to the right option or text, as clients compute it. [contract 3] */
export const commitmentTo = (questionId: string, right: number | string, nonce: string): string =>
  createHash('sha256').update(`${questionId}:${right}:${nonce}`).digest('base64url');

async function start(client: HttpClient, request?: object): Promise<GameSession> {
  const { status, body } = await client.post(START, request);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

// Repeats answers with an Idempotency-Key: of a quiz or an attempt, chosen or typed, on two replicas. [contract 23]

type Clients = [here: HttpClient, there: HttpClient];
const shown = ({ status, body }: HttpResponse) => ({ status, body });
const REUSED = [422, 'IDEMPOTENCY_KEY_REUSED'];

/**
 * Plays a session of four questions. A repeated request gets the same reply on any replica, also after the last answer,
 * and another one with its key is refused before everything else.
 */
export async function expectRepeatable(
  [here, there]: Clients,
  session: Session,
  [given, other]: [object, object],
): Promise<void> {
  const ask = (place: number, key?: string, client = here, answer = given) =>
    give(client, session, place, answer, key === undefined ? {} : { 'idempotency-key': key });
  const first = await ask(0, 'a');
  expect(first.status).toBe(200);
  expect(shown(await ask(0, 'a', there))).toEqual(shown(first));
  for (const place of [0, 1]) expect(codeOf(await ask(place, 'a', there, other))).toEqual(REUSED);
  // A refusal is not kept, so that the key is free.
  for (const key of ['b', undefined]) expect(codeOf(await ask(0, key))).toEqual([409, 'QUESTION_ALREADY_ANSWERED']);

  const many = await Promise.all(Array.from({ length: 10 }, (_, at) => ask(1, 'b', at % 2 ? here : there)));
  expect(many[0]?.body.score.answered).toBe(2);
  for (const each of many) expect(shown(each)).toEqual(shown(many[0] as HttpResponse));
  const [one, another] = await Promise.all([ask(2, 'c', here), ask(3, 'c', there)]);
  expect([one, another].map(({ status }) => status).toSorted()).toEqual([200, 422]);

  const open = one.status === 200 ? 3 : 2;
  const last = await ask(open, 'd', there);
  expect(last.body.score).toMatchObject({ answered: 4, total: 4 });
  expect(shown(await ask(open, 'd'))).toEqual(shown(last));
  expect(shown(await ask(0, 'a', there))).toEqual(shown(first));
  expect(codeOf(await ask(0, 'd'))).toEqual(REUSED);
  expect(codeOf(await ask(open))).toEqual([404, 'SESSION_NOT_FOUND']);
}

// A signed-in user who plays quizzes. The correct options are read from Redis, since no client can know them.

export type Learner = Awaited<ReturnType<typeof createLearner>>;

export async function createLearner(service: TestService) {
  const { user, client } = await createPerson(service);
  const { redis, db } = service.services;

  /** Answers one question of a session. @returns the status */
  async function answer(session: GameSession, index: number, choice: 'right' | 'wrong') {
    const correct = await correctOptionId(redis, session.sessionId, session.questions[index]?.questionId ?? '');
    const optionId = choice === 'right' ? correct : (correct + 1) % 4;
    return (await give(client, session, index, { optionId })).status;
  }

  /** @returns the learned words, the least recently reviewed one first */
  const learnedWords = () => db.learnedWord.findMany({ where: { userId: user.id }, orderBy: { reviewedAt: 'asc' } });

  return {
    user,
    client,
    start: (request?: object) => start(client, request),
    answer,
    /** Starts a session and answers its first questions. */
    async play(choices: ('right' | 'wrong')[], request?: object): Promise<GameSession> {
      const session = await start(client, request);
      for (const [index, choice] of choices.entries()) expect(await answer(session, index, choice)).toBe(200);
      return session;
    },
    learnedWords,
    /** @returns for each of the learned words the time from its last review until it is due, ms */
    dueInMs: async () => (await learnedWords()).map(({ due, reviewedAt }) => Number(due) - Number(reviewedAt)),
    /** @param query the query string without the question mark */
    async progress(query = ''): Promise<Progress> {
      const { status, body } = await client.get(`/api/v1/progress?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    },
  };
}

/** @returns the correct option of an unanswered question, read from Redis */
export async function correctOptionId(redis: RedisClient, sessionId: string, questionId: string): Promise<number> {
  const stored = (await redis.hget(quizKey(sessionId), questionId)) ?? '{}';
  return JSON.parse(stored).correctOptionId;
}
