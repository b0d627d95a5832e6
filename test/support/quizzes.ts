// Quizzes for one, played over HTTP by a signed-in user on two replicas.
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectRedis, type RedisClient } from '../../src/platform/redis/redis.ts';
import { quizKey, reviewsKey } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import { correctOptionId } from './learner.ts';
import { startReplicas, type TestService } from './service.ts';
import { startStores, type TestStores } from './stores.ts';
import { createSignedInUser, type TestUser } from './users.ts';

export const START = '/api/v1/game/start';
export const ANSWER = '/api/v1/game/answer';

export interface Quizzes {
  stores: TestStores;
  here: TestService;
  there: TestService;
  user: TestUser;
  /** The user's client of the replica `here`, and of `there`. */
  client: HttpClient;
  elsewhere: HttpClient;
  redis(): RedisClient;
  /** @returns a client of another signed-in user */
  newClient(service?: TestService): Promise<HttpClient>;
  /** Starts a quiz of the user. */
  start(request?: object): Promise<GameSession>;
  /** Answers the question at `index`. */
  answer(session: GameSession, index: number, optionId: number, browser?: HttpClient): Promise<HttpResponse>;
  /** @returns the right option, read from Redis */
  correctOption(session: GameSession, questionId: string): Promise<number>;
  /** @returns whether a question of the session is not answered yet */
  isLive(sessionId: string): Promise<boolean>;
  /**
   * @returns the session's keys in Redis, without that of its judgements, which exist until they are learned
   */
  keysOf(sessionId: string): Promise<string[]>;
}

/** The replicas exist from the file's first `beforeAll` until its last `afterAll`. */
export function useQuizzes(): Quizzes {
  const stores = {} as TestStores;
  const [here, there] = [{}, {}] as [TestService, TestService];
  const user = {} as TestUser;
  const [client, elsewhere] = [{}, {}] as [HttpClient, HttpClient];
  let redis: RedisClient;
  beforeAll(async () => {
    Object.assign(stores, await startStores({ hasWords: true }));
    const { redisUrl: url, isCluster: cluster } = stores;
    redis = connectRedis({ url, cluster }, 'commands', createLogger('silent', 'test'));
    const replicas = await startReplicas(stores, 2);
    Object.assign(here, replicas[0]);
    Object.assign(there, replicas[1]);
    Object.assign(user, await createSignedInUser(here.services));
    Object.assign(client, createHttpClient(here.url, { cookie: user.cookie }));
    Object.assign(elsewhere, client.at(there.url));
  });
  afterAll(async () => {
    for (const replica of [here, there]) await replica.stop();
    redis.disconnect();
    await stores.stop();
  });

  return {
    stores,
    here,
    there,
    user,
    client,
    elsewhere,
    redis: () => redis,
    async newClient({ services, url } = here) {
      const { cookie } = await createSignedInUser(services);
      return createHttpClient(url, { cookie });
    },
    async start(request) {
      const { status, body } = await client.post(START, request);
      expect(status, JSON.stringify(body)).toBe(201);
      return body;
    },
    answer({ sessionId, questions }, index, optionId, browser = client) {
      const questionId = questions[index]?.questionId;
      return browser.post(ANSWER, { sessionId, questionId, optionId });
    },
    correctOption: ({ sessionId }, questionId) => correctOptionId(redis, sessionId, questionId),
    async isLive(sessionId) {
      const [answered, total] = await redis.hmget(quizKey(sessionId), 'answered', 'total');
      return answered !== total;
    },
    async keysOf(sessionId) {
      const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
      const keys = await Promise.all(servers.map((server) => server.keys(`*${sessionId}*`)));
      return keys.flat().filter((key) => key !== reviewsKey(sessionId));
    },
  };
}
