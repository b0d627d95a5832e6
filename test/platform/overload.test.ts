// Limits how many tasks run concurrently, overall and by key, combines concurrent reads of one kind into one query, and
// logs a pause of the process once, with its length.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inBatches } from '../../src/platform/overload/batches.ts';
import { createConcurrencyLimit } from '../../src/platform/overload/concurrency-limit.ts';
import { logStalls } from '../../src/platform/overload/load.ts';

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
  for (const [finished, begun] of [
    [2, 'aabb'],
    [0, 'aabba'],
    // The fourth `a` is before `c`, but two tasks with its key run already.
    [3, 'aabbac'],
    [1, 'aabbaca'],
  ] as const) {
    started[finished]?.resolve();
    await nextTurn();
    expect(keys()).toBe(begun);
  }
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

const SOURCE = {};

/** A store whose responses the test triggers. */
function slowStore() {
  const calls: { keys: string[]; answer: PromiseWithResolvers<string[]> }[] = [];
  const readAll = (_source: object, keys: string[]) => {
    const answer = Promise.withResolvers<string[]>();
    calls.push({ keys, answer });
    return answer.promise;
  };
  const batched = inBatches(readAll, (key) => key);
  const read = (key: string) => batched(SOURCE, key);
  const answerTo = (index: number) => calls[index]?.answer.resolve(calls[index].keys.map((key) => key.toUpperCase()));
  return { calls, read, answerTo };
}

const called = (calls: unknown[], count: number) => vi.waitFor(() => expect(calls).toHaveLength(count));

it('reads in one turn of the event loop share a query, and equal keys are read once', async () => {
  const { calls, read, answerTo } = slowStore();
  const reads = ['a', 'b', 'a'].map(read);
  await called(calls, 1);
  expect(calls[0]?.keys).toEqual(['a', 'b']);
  answerTo(0);
  expect(await Promise.all(reads)).toEqual(['A', 'B', 'A']);
});

it('reads that are requested during a query share the next one, so that none sees data older than its request', async () => {
  const { calls, read, answerTo } = slowStore();
  const first = read('a');
  await called(calls, 1);
  const later = Array.from({ length: 300 }, (_, index) => read(`${index % 3}`));
  answerTo(0);
  await first;
  await called(calls, 2);
  expect(calls[1]?.keys).toEqual(['0', '1', '2']);
  answerTo(1);
  expect(new Set(await Promise.all(later))).toEqual(new Set(['0', '1', '2']));
});

it('an outage rejects the pending reads too; any other failure rejects only the reads of its query', async () => {
  const { calls, read, answerTo } = slowStore();
  const first = read('a');
  await called(calls, 1);
  const second = read('b');
  calls[0]?.answer.reject(new Error('a bug'));
  await expect(first).rejects.toThrow('a bug');
  await called(calls, 2);
  const third = read('c');
  calls[1]?.answer.reject(new Error('Command timed out'));
  await expect(second).rejects.toThrow('timed out');
  await expect(third).rejects.toThrow('timed out');
  const fourth = read('d');
  await called(calls, 3);
  answerTo(2);
  expect(await fourth).toBe('D');
});

it.each([
  ['that runs logs nothing, even if a turn of its event loop takes two seconds', [500, 510, 2000, 500], []],
  ['that did not run for ten seconds logs one line with the duration', [500, 10_000, 500], [10_000]],
])('a process %s', (_what, turnsMs, logged) => {
  const logger = { warn: vi.fn() };
  let nowMs = 0;
  vi.useFakeTimers();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const stop = logStalls(logger);
  onTestFinished(() => {
    stop();
    clock.mockRestore();
    vi.useRealTimers();
  });
  for (const ms of turnsMs) {
    nowMs += ms;
    // The timers of the process fire once.
    vi.advanceTimersByTime(500);
  }
  expect(logger.warn.mock.calls).toEqual(logged.map((durationMs) => [{ durationMs }, 'this process did not run']));
});
