// A signed-in user who plays quizzes. The correct options are read from Redis, since no client can know them.
import type { LearnedWord } from '../../src/generated/prisma/client.ts';
import type { Progress } from '../../src/learning/schema.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { quizKey } from '../../src/singleplayer/keys.ts';
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
  /** Starts a session and answers its first questions. */
  play(choices: ('right' | 'wrong')[], request?: object): Promise<GameSession>;
  /** @returns the learned words, the least recently reviewed one first */
  learnedWords(): Promise<LearnedWord[]>;
  /** @param query the query string without the question mark */
  progress(query?: string): Promise<Progress>;
}

export async function createLearner(service: TestService): Promise<Learner> {
  const user = await createSignedInUser(service.services);
  const client = createHttpClient(service.url, { cookie: user.cookie });
  const { redis, db } = service.services;
  const learner: Learner = {
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
    async play(choices, request) {
      const session = await learner.start(request);
      for (const [index, choice] of choices.entries()) {
        const status = await learner.answer(session, index, choice);
        if (status !== 200) throw new Error(`answer ${index}: ${status}`);
      }
      return session;
    },
    learnedWords: () => db.learnedWord.findMany({ where: { userId: user.id }, orderBy: { reviewedAt: 'asc' } }),
    async progress(query = '') {
      const { status, body } = await client.get(`/api/v1/progress?${query}`);
      if (status !== 200) throw new Error(`progress: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  };
  return learner;
}

/** @returns the correct option of an unanswered question, read from Redis */
export async function correctOptionId(redis: RedisClient, sessionId: string, questionId: string): Promise<number> {
  const stored = (await redis.hget(quizKey(sessionId), questionId)) ?? '{}';
  return JSON.parse(stored).correctOptionId;
}
