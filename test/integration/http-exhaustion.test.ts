// What a stranger sends to use something up: memory by packed bodies and large headers, and Redis by
// keys that nobody ever removes. [contract 1, 17]
import { gzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import type { TestService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

/** What BullMQ has once for each queue, however much goes through it. */
const OF_QUEUES =
  /^\{quiz(?::clock:\d+)?\}:[\w-]+:(meta|id|events|marker|delayed|repeat|wait|stalled-check|limiter)/;

let service: TestService;
const arena = useArena({ replicas: 1 });
beforeAll(async () => {
  service = arena.replicas[0] as TestService;
});

it('packed bodies are not unpacked, and headers have an end', async () => {
  const user = await createSignedInUser(service.services);
  const client = createHttpClient(service.url, { cookie: user.cookie });
  const packed = gzipSync(`{${' '.repeat(20_000_000)}}`);
  for (const path of ['/api/v1/lobbies', '/api/auth/update-user']) {
    const { status } = await client.post(path, packed, { 'content-encoding': 'gzip' });
    expect(status, path).toBe(400);
  }
  expect((await client.get('/api/health', { x: 'x'.repeat(20_000) })).status).toBe(431);
});

it('a stranger leaves no key in Redis that does not end', async () => {
  const client = createHttpClient(service.url);
  for (let index = 0; index < 5; index++) {
    const email = `stranger-${index}@example.com`;
    const password = `a long password ${index}`;
    await client.post('/api/auth/sign-in/email', { email, password });
    await client.post('/api/auth/sign-up/email', { email, password, name: 'Eve' });
    await client.post('/api/auth/request-password-reset', { email });
    await client.post('/api/auth/send-verification-email', { email });
    await client.get(`/api/auth/verify-email?token=x${index}`);
    await client.get(`/api/auth/callback/google?state=${index}&code=x`);
    const forged = { cookie: `better-auth.session_token=${index}.x` };
    await client.get('/api/v1/vocabulary', forged);
    await client.get('/api/auth/get-session', forged);
  }
  const redis = new Redis(arena.stores.redisUrl);
  onTestFinished(() => redis.disconnect());
  // What waits for the worker goes when it is done.
  await eventually(async () => {
    const keys = (await redis.keys('*')).filter((key) => !OF_QUEUES.test(key));
    const ends = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((_key, at) => (ends[at] as number) === -1)).toEqual([]);
  });
});
