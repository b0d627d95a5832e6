// Limits how many tasks run concurrently, overall and by key.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createConcurrencyLimit } from '../../src/platform/overload/concurrency-limit.ts';

function openLimit(limits: { max: number; maxPerKey: number }) {
  const run = createConcurrencyLimit(limits);
  const started: (PromiseWithResolvers<void> & { key: string })[] = [];
  /** Submits a task, which ends when the test says so. */
  const ask = (key: string) =>
    run(key, () => {
      const one = { key, ...Promise.withResolvers<void>() };
      started.push(one);
      return one.promise;
    });
  return { ask, started, keys: () => started.map(({ key }) => key).join('') };
}

it('at most `max` tasks run at once, and the others follow in order', async () => {
  const { ask, started } = openLimit({ max: 2, maxPerKey: 2 });
  const done = Array.from({ length: 5 }, () => ask('a'));
  for (let finished = 0; finished < 5; finished++) {
    await nextTurn();
    expect(started).toHaveLength(Math.min(5, finished + 2));
    started[finished]?.resolve();
  }
  await Promise.all(done);
});

it('tasks with one key don’t block those with other keys', async () => {
  const { ask, started, keys } = openLimit({ max: 3, maxPerKey: 2 });
  const done = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(ask);
  await nextTurn();
  expect(keys()).toBe('aab');
  started[2]?.resolve();
  await nextTurn();
  expect(keys()).toBe('aabb');
  started[0]?.resolve();
  await nextTurn();
  expect(keys()).toBe('aabba');
  started[3]?.resolve();
  await nextTurn();
  // The fourth `a` is before `c`, but two tasks with its key run already.
  expect(keys()).toBe('aabbac');
  started[1]?.resolve();
  await nextTurn();
  expect(keys()).toBe('aabbaca');
  for (const { resolve } of started) resolve();
  await Promise.all(done);
});

it('a failure or a lock timeout rejects only its own task', async () => {
  const { ask, started } = openLimit({ max: 1, maxPerKey: 1 });
  const settled = Promise.allSettled(['a', 'a', 'a'].map(ask));
  started[0]?.reject(new Error('a bug'));
  await nextTurn();
  started[1]?.reject(Object.assign(new Error('canceling statement'), { code: '55P03' }));
  await nextTurn();
  started[2]?.resolve();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

it('an unreachable store rejects all waiting tasks, and later ones run', async () => {
  const { ask, started } = openLimit({ max: 1, maxPerKey: 1 });
  const settled = Promise.allSettled(['a', 'a', 'b'].map(ask));
  started[0]?.reject(new Error('Connection is closed.'));
  expect((await settled).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(started).toHaveLength(1);
  const later = ask('a');
  await nextTurn();
  started[1]?.resolve();
  await later;
});

it('a task that has waited for more than ten seconds is refused when its turn comes', async () => {
  const { ask, started } = openLimit({ max: 1, maxPerKey: 1 });
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const [first, late] = [ask('a'), ask('a')];
    await vi.advanceTimersByTimeAsync(10_001);
    const inTime = ask('a');
    started[0]?.resolve();
    await first;
    await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    started[1]?.resolve();
    await inTime;
    expect(started).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
