// The least that a quiz over HTTP costs: a bare Fastify that reads who asks with one GET, and then
// stores a key with one write, or judges with one small script. What it says is as long as ours.
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const START_REPLY_BYTES = 2048;

const [port, redisUrl] = process.argv.slice(2);
const redis = new Redis(redisUrl as string);
const sha = (await redis.script(
  'LOAD',
  "redis.call('HSET', KEYS[1], ARGV[1], 'answered') return redis.call('HINCRBY', KEYS[1], 'n', 1)",
)) as string;
const session = JSON.stringify({ user: { id: crypto.randomUUID() }, padding: 'x'.repeat(400) });
await redis.set('floor:session', session);
const questions = 'x'.repeat(START_REPLY_BYTES);
const key = 'x'.repeat(400);

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
  return { answered: await redis.evalsha(sha, 1, 'floor', questionId) };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
