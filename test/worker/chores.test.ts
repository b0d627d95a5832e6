// Workers run each chore every few minutes, once over all workers.
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createQueue, openJobSource } from '../../src/platform/queues/queue.ts';
import { CHORES_QUEUE, type Chore, maintain } from '../../worker/maintain.ts';
import { removeExpired } from '../../worker/remove-expired.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const { service } = useService();
beforeEach(() => service.services.redis.flushall());
const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);

test('all expired sessions and links are removed, and nothing else is', async () => {
  const { db } = service.services;
  const { id: userId, cookie } = await createSignedInUser(service.services);
  const past = new Date(Date.now() - 1000);
  const future = new Date(Date.now() + 60_000);
  const sessions = Array.from({ length: 2500 }, () => ({ userId, token: randomUUID(), expiresAt: past }));
  await db.session.createMany({ data: sessions });
  const verifications = Array.from({ length: 1500 }, () => ({ identifier: randomUUID(), value: 'x', expiresAt: past }));
  const open = { identifier: 'open', value: 'x', expiresAt: future };
  await db.verification.createMany({ data: [...verifications, open] });

  await Promise.all([removeExpired(service.services), removeExpired(service.services)]);

  expect(await db.session.count()).toBe(1);
  expect(await service.services.userSessions.findUser({ cookie })).not.toBeNull();
  expect(await db.verification.findMany({ select: { identifier: true } })).toEqual([{ identifier: 'open' }]);
});

test('an account unverified for 7 days is removed with its sign-ups, and no other is', async () => {
  const { db } = service.services;
  const create = (email: string, emailVerified: boolean, days: number) =>
    db.user.create({ data: { name: 'Eve', email, emailVerified, createdAt: dayAgo(days) } });
  const old = await create('old@example.com', false, 7.01);
  const recent = await create('recent@example.com', false, 6.99);
  const owner = await create('owner@example.com', true, 8);
  const claim = (userId: string, password: string, days: number) =>
    db.signUp.create({ data: { userId, name: 'Eve', password, browserHash: 'x', createdAt: dayAgo(days) } });
  await claim(old.id, 'p', 7.01);
  await db.account.create({ data: { userId: old.id, accountId: old.id, providerId: 'credential', password: 'p' } });
  const kept = await claim(recent.id, 'p', 6.99);
  await claim(owner.id, 'an old attempt', 1.01);
  const attempt = await claim(owner.id, 'a recent attempt', 0.99);

  await Promise.all([removeExpired(service.services), removeExpired(service.services)]);

  const users = await db.user.findMany({ where: { id: { in: [old.id, recent.id, owner.id] } } });
  expect(users.map(({ email }) => email).sort()).toEqual([recent.email, owner.email].sort());
  const claims = await db.signUp.findMany({ select: { id: true } });
  expect(claims.map(({ id }) => id).sort()).toEqual([kept.id, attempt.id].sort());
  expect(await db.account.count({ where: { userId: old.id } })).toBe(0);
});

test('the hand-over of a guest’s answers, and the count of a quiz’s learned ones, are stored for 7 days', async () => {
  const { db } = service.services;
  const { id: accountId } = await createSignedInUser(service.services);
  const note = (days: number) =>
    db.guestHandOver.create({ data: { guestId: randomUUID(), accountId, createdAt: dayAgo(days) } });
  const count = (days: number) =>
    db.learnedQuiz.create({ data: { sessionId: randomUUID(), answers: 3, learnedAt: dayAgo(days) } });
  const [, handOver, , quiz] = [await note(7.01), await note(6.99), await count(7.01), await count(6.99)];
  await removeExpired(service.services);
  expect(await db.guestHandOver.findMany()).toEqual([handOver]);
  expect(await db.learnedQuiz.findMany()).toEqual([quiz]);
});

test('a chore runs once at a time, however many workers there are', async () => {
  const runs: number[] = [];
  const startedAt = Date.now();
  for (const worker of [1, 2, 3]) startChores({ name: 'sweep', everyMs: 500, run: async () => void runs.push(worker) });
  await eventually(() => expect(runs.length).toBeGreaterThanOrEqual(4));
  // The chore runs once at the start, and once for each interval that has passed.
  expect(runs.length).toBeLessThanOrEqual((Date.now() - startedAt) / 500 + 2);
});

test('a chore that fails runs again at its next time', async () => {
  const run = vi.fn().mockRejectedValue(new Error('not this time'));
  startChores({ name: 'sweep', everyMs: 200, run });
  await eventually(() => expect(run.mock.calls.length).toBeGreaterThanOrEqual(3));
});

test('chores continue after Redis has lost the schedule', async () => {
  const run = vi.fn(async () => {});
  startChores({ name: 'sweep', everyMs: 200, run });
  await eventually(() => expect(run).toHaveBeenCalled());
  await service.services.redis.flushall();
  const before = run.mock.calls.length;
  await eventually(() => expect(run.mock.calls.length).toBeGreaterThanOrEqual(before + 2));
});

test('chores of another release are removed, and do not count as scheduled', async () => {
  const queue = createQueue(CHORES_QUEUE, service.services);
  onTestFinished(() => queue.close());
  const names = async () => (await queue.getJobSchedulers()).map(({ key }) => key);
  const stopOld = startChores({ name: 'old', everyMs: 60_000, run: async () => {} });
  await eventually(async () => expect(await names()).toEqual(['old']));
  await stopOld();
  startChores({ name: 'sweep', everyMs: 60_000, run: async () => {} });
  await eventually(async () => expect(await names()).toEqual(['sweep']));
});

/** Starts a worker that runs this chore alone, until the end of the test. @returns what stops it before */
function startChores(chore: Chore): () => Promise<void> {
  const source = openJobSource(service.services);
  const worker = maintain(service.services, source, [chore]);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= worker.close().then(() => source.close());
    return stopping;
  };
  onTestFinished(stop);
  return stop;
}
