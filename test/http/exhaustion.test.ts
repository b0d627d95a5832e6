// A stranger tries to use up memory by compressed bodies, and Redis by keys that never expire. [contract 1, 17]
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createPerson } from '../support/users.ts';

/** BullMQ has these keys once for each queue, however many jobs there are. */
const QUEUE_KEY = /^\{quiz(?::clock:\d+)?\}:[\w-]+:(meta|id|events|marker|delayed|repeat|wait|stalled-check|limiter)/;

const arena = useArena({ replicas: 1 });

it('compressed bodies are not decompressed', async () => {
  const { client } = await createPerson(arena.replicas[0]);
  const compressed = gzipSync(`{${' '.repeat(20_000_000)}}`);
  for (const path of ['/api/v1/lobbies', '/api/auth/update-user'])
    expect(await client.post(path, compressed, { 'content-encoding': 'gzip' }), path).toMatchObject({ status: 400 });
});

it('a stranger leaves no key in Redis without an expiry', async () => {
  const client = createHttpClient(arena.replicas[0].url);
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
  const { redis } = arena.services;
  // The jobs of the mails are removed once the worker has done them.
  await eventually(async () => {
    const keys = (await redis.keys('*')).filter((key) => !QUEUE_KEY.test(key));
    const expiries = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((_key, at) => (expiries[at] as number) === -1)).toEqual([]);
  });
});
