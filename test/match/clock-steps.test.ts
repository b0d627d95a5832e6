// Durations are measured independently of the machine's clock, which is changed while the service runs.
// [contract 5, 17]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { createSessionCache } from '../../src/auth/sessions/secondary-storage.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';

const arena = useArena({ workers: 0, replicas: 1 });
const realNow = Date.now;
afterEach(() => vi.restoreAllMocks());

/**
 * Sets the clock of this process, in which the replica runs. @param byMs how far it is ahead of the real time
 */
function stepClock(byMs: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + byMs);
}

const HOUR_MS = 3_600_000;
const READY = { type: 'game:ready' };

it('a step back does not change a socket’s allowance of 20 messages a second', async () => {
  const [ada] = await arena.players('Ada');
  for (let sent = 0; sent < 45; sent++) ada.send(READY);
  await ada.next('error', ({ code }) => code === 429);
  stepClock(-HOUR_MS);
  await sleep(2000);
  const seen = ada.messages.length;
  for (let sent = 0; sent < 20; sent++) ada.send(READY);
  await eventually(() => expect(ada.messages.length).toBe(seen + 20));
  expect(ada.messages.slice(seen)).toEqual(Array(20).fill(expect.objectContaining({ reason: 'NOT_IN_LOBBY' })));
});

it('steps ahead close no socket for pings that were not due', async () => {
  const [ada] = await arena.players('Ada');
  ada.pause();
  for (const minutes of [1, 2, 3]) {
    stepClock(minutes * 60_000);
    // The replica checks every second whether a ping is due.
    await sleep(1100);
  }
  const seen = ada.messages.length;
  ada.resume();
  ada.send(READY);
  await ada.next('error', ({ reason }) => reason === 'NOT_IN_LOBBY', seen);
});

it('a step back does not extend the lifetime of a cached session', async () => {
  const [ada] = await arena.players('Ada');
  const { redis, db } = arena.services;
  const { token } = await db.session.findFirstOrThrow({ where: { userId: ada.user.id } });
  const sessions = createSessionCache(redis, db);
  expect(await sessions.read(token)).not.toBeNull();
  await db.session.delete({ where: { token } });
  stepClock(-HOUR_MS);
  expect(await sessions.read(token)).toBeNull();
});
