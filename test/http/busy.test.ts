// An overloaded replica refuses new work at once and finishes the work under way. [contract 1]
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTooBusy } from '../../src/http/refuse-when-busy.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

const ANSWER = { sessionId: crypto.randomUUID(), questionId: crypto.randomUUID(), optionId: 0 };

let client: HttpClient;
const { service } = useService({ BUSY_AFTER_MS: '400', DATABASE_POOL_MAX: '1' });
beforeAll(async () => {
  ({ client } = await createPerson(service));
  await eventually(async () => expect((await client.get('/api/health/ready')).status).toBe(200));
});

function block(durationMs: number): void {
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; );
}

/** Repeats each of `works` until `look` has ended. */
async function whileRepeating(works: (() => Promise<unknown>)[], look: () => Promise<void>): Promise<void> {
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
    const refused = await client.post(path, {});
    expect(codeOf(refused)).toEqual([503, 'UNAVAILABLE']);
    expect(refused.body.detail).toContain('too much to do');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
}

/** An answer needs Redis alone, which finds no such session. */
async function expectAnswered(): Promise<void> {
  await expect.poll(async () => (await client.post('/api/v1/game/answer', ANSWER)).body.code).toBe('SESSION_NOT_FOUND');
}

it('while requests wait for connections to PostgreSQL, those that need one are refused early, and others served', async () => {
  const { db } = service.services;
  const occupy = () => db.$queryRaw`SELECT 1 FROM pg_sleep(1)`.catch(() => {});
  // One query has the only connection, so that another has always waited for it for a second or more.
  await whileRepeating([occupy, occupy, occupy, occupy], async () => {
    await expectRefused('/api/v1/lobbies');
    await expectAnswered();
    expect((await client.get('/api/health/ready')).status).toBe(200);
  });
  await expect.poll(async () => (await client.post('/api/v1/lobbies')).status).toBe(201);
});

describe('while each turn of the event loop takes long', () => {
  it('refuses new work early, and never a health check', async () => {
    const turn = async () => {
      block(150);
      await sleep(0);
    };
    await whileRepeating([turn], async () => {
      await expectRefused('/api/v1/game/start');
      for (const path of ['/api/health/live', '/api/health/ready']) expect((await client.get(path)).status).toBe(200);
    });
    await expectAnswered();
  });

  it('refuses requests that continue something only at twice the load', () => {
    const loaded = (waitMs: number) => ({ load: { waitMs: () => waitMs, stop() {} }, busyAfterMs: 1000 });
    for (const kind of ['new', 'new-sql'] as const)
      expect([999, 1001].map((ms) => isTooBusy(loaded(ms), kind))).toEqual([false, true]);
    expect([1999, 2001].map((ms) => isTooBusy(loaded(ms), 'ongoing'))).toEqual([false, true]);
  });
});
