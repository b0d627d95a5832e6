// A replica with more to do than it can: new work is told so at once, what goes on goes on, and a slow
// turn of its own is no outage of Redis. [contract 1]
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTooBusy } from '../../src/http/refuse-when-busy.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { connectRedis } from '../../src/platform/redis.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const AN_ANSWER = { sessionId: crypto.randomUUID(), questionId: crypto.randomUUID(), optionId: 0 };

let client: HttpClient;
const { service, stores } = useService({ BUSY_AFTER_MS: '400', DATABASE_POOL_MAX: '1' });
beforeAll(async () => {
  const { cookie } = await createSignedInUser(service.services);
  client = createHttpClient(service.url, { cookie });
  await eventually(async () => expect((await client.get('/api/health/ready')).status).toBe(200));
});

/** Nothing else of this process happens meanwhile. */
function block(durationMs: number): void {
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; );
}

/** Does each of `works` again and again until `look` has ended. */
async function during(works: (() => Promise<unknown>)[], look: () => Promise<void>): Promise<void> {
  let isOver = false;
  const working = works.map(async (work) => {
    while (!isOver) await work();
  });
  await look().finally(() => {
    isOver = true;
  });
  await Promise.all(working);
}

async function expectRefused(path: string): Promise<void> {
  await eventually(async () => {
    const { status, body, headers } = await client.post(path, {});
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(body.detail).toContain('too much to do');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
}

/** By Redis alone, which no longer knows such a session. */
async function expectAnswered(): Promise<void> {
  await eventually(async () => {
    const { body } = await client.post('/api/v1/game/answer', AN_ANSWER);
    expect(body.code).toBe('SESSION_NOT_FOUND');
  });
}

describe('when the connections to PostgreSQL are waited for', () => {
  it('what needs one is refused early, and what needs none goes on', async () => {
    const { db } = service.services;
    const hold = () => db.$queryRaw`SELECT 1 FROM pg_sleep(1)`.catch(() => {});
    // One has the only connection, and there is always one who has waited for a turn of it or more.
    await during([hold, hold, hold, hold], async () => {
      await expectRefused('/api/v1/lobbies');
      await expectAnswered();
      expect((await client.get('/api/health/ready')).status).toBe(200);
    });
    await eventually(async () => expect((await client.post('/api/v1/lobbies')).status).toBe(201));
  });
});

describe('when each turn of the event loop takes long', () => {
  it('new work is refused early, and never the question whether it lives', async () => {
    const turn = async () => {
      block(150);
      await sleep(0);
    };
    await during([turn], async () => {
      await expectRefused('/api/v1/game/start');
      for (const path of ['/api/health/live', '/api/health/ready'])
        expect((await client.get(path)).status).toBe(200);
    });
    await expectAnswered();
  });

  it('what goes on is refused only when it is twice as busy', () => {
    const busy = (waitMs: number) => ({
      load: { waitMs: () => waitMs, stop() {} },
      busyAfterMs: 1000,
    });
    const [fresh, ongoing] = [false, true].map((isOngoing) => ({ needsSql: true, isOngoing }));
    expect([999, 1001].map((ms) => isTooBusy(busy(ms), fresh as never))).toEqual([false, true]);
    expect([1999, 2001].map((ms) => isTooBusy(busy(ms), ongoing as never))).toEqual([false, true]);
  });
});

it('a reply that comes while the event loop stands still is no outage', async () => {
  const options = { url: stores.redisUrl, cluster: stores.isCluster };
  const redis = connectRedis(options, 'commands', createLogger('silent', 'test'));
  try {
    await redis.ping();
    const replies = Promise.all([redis.ping(), redis.incr('busy')]);
    // Longer than a command may take.
    block(1800);
    expect(await replies).toEqual(['PONG', 1]);
  } finally {
    redis.disconnect();
  }
});
