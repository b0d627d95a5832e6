// A signed-in user who plays alone, and knows what is right or wrong: it is read behind the service's
// back.
import type { Progress } from '../../src/learning/schema.ts';
import type { RedisClient } from '../../src/platform/redis.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { TestService } from './service.ts';
import { createSignedInUser, type TestUser } from './users.ts';

export interface Learner {
  user: TestUser;
  client: HttpClient;
  start(request?: object): Promise<GameSession>;
  /** Answers one question of a session. @returns the status */
  answer(session: GameSession, index: number, choice: 'right' | 'wrong'): Promise<number>;
  /** @param query after the question mark */
  progress(query?: string): Promise<Progress>;
}

export async function createLearner(service: TestService): Promise<Learner> {
  const user = await createSignedInUser(service.services);
  const client = createHttpClient(service.url, { cookie: user.cookie });
  const { redis } = service.services;
  return {
    user,
    client,
    async start(request) {
      const { status, body } = await client.post('/api/v1/game/start', request ?? {});
      if (status !== 201) throw new Error(`start: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    async answer(session, index, choice) {
      const { sessionId, questions } = session;
      const questionId = questions[index]?.questionId ?? '';
      const correct = await correctOptionId(redis, sessionId, questionId);
      const optionId = choice === 'right' ? correct : (correct + 1) % 4;
      return (await client.post('/api/v1/game/answer', { sessionId, questionId, optionId })).status;
    },
    async progress(query = '') {
      const { status, body } = await client.get(`/api/v1/progress?${query}`);
      if (status !== 200) throw new Error(`progress: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  };
}

/** @returns what only the service knows of a question that is not over */
export async function correctOptionId(
  redis: RedisClient,
  sessionId: string,
  questionId: string,
): Promise<number> {
  const stored = (await redis.get(`game:{${sessionId}}`)) ?? '';
  return Number(new RegExp(`^${questionId} \\d+ (\\d)`, 'm').exec(stored)?.[1]);
}
