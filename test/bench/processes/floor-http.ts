// The least that a quiz over HTTP needs: a bare Fastify that reads the session with one GET, and then stores
// the right answers with one write or judges with one small script. What it reads, stores and replies is as
// long as in the service. Its connection to Redis has the same settings, and pipelines by ioredis' own option.
import Fastify from 'fastify';
import { Redis } from 'ioredis';

/** The lengths of the service's replies, stored sessions and quizzes, without what the floor adds itself. */
const START_REPLY_BYTES = 3150;
const ANSWER_REPLY_BYTES = 240;
const SESSION_BYTES = 520;
/** Of ten questions: id, right option, nonce and prompt of each. The service also stores the names of fields. */
const KEY_BYTES = 1000;

/** The settings of src/platform/redis/redis.ts, which doesn't pipeline but corks the socket. */
const redis = new Redis(process.env.REDIS_URL as string, {
  enableAutoPipelining: true,
  commandTimeout: 1000,
  socketTimeout: 2500,
  maxRetriesPerRequest: null,
});
const sha = (await redis.script(
  'LOAD',
  "redis.call('HSET', KEYS[1], ARGV[1], 'answered') return redis.call('HINCRBY', KEYS[1], 'n', 1)",
)) as string;
const padding = 'x'.repeat(SESSION_BYTES);
const session = JSON.stringify({ user: { id: crypto.randomUUID() }, padding });
await redis.set('floor:session', session);
const questions = 'x'.repeat(START_REPLY_BYTES);
const key = 'x'.repeat(KEY_BYTES);
const score = 'x'.repeat(ANSWER_REPLY_BYTES);

const whoAsks = async () => JSON.parse((await redis.get('floor:session')) ?? '{}').user.id;

const app = Fastify();
app.post('/start', async () => {
  const userId = await whoAsks();
  await redis.set(`floor:${crypto.randomUUID()}`, `${userId} ${key}`, 'EX', 3600);
  return { questions };
});
app.post('/answer', async (request) => {
  await whoAsks();
  const { questionId } = request.body as { questionId: string };
  return { answered: await redis.evalsha(sha, 1, 'floor', questionId), score };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
