// The least that an answer over HTTP costs: a bare Fastify route that runs one small script in Redis.
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const [port, redisUrl] = process.argv.slice(2);
const redis = new Redis(redisUrl as string);
const sha = (await redis.script(
  'LOAD',
  "redis.call('HSET', KEYS[1], ARGV[1], 'answered') return redis.call('HINCRBY', KEYS[1], 'n', 1)",
)) as string;

const app = Fastify();
app.post('/floor', async (request) => {
  const { questionId } = request.body as { questionId: string };
  return { answered: await redis.evalsha(sha, 1, 'floor', questionId) };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
