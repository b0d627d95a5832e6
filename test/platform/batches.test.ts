// Batches combine concurrent reads of one kind into one query.
import { expect, it, vi } from 'vitest';
import { inBatches } from '../../src/platform/overload/batches.ts';

const SOURCE = {};

/** A store whose responses the test triggers. */
function slowStore() {
  const calls: { keys: string[]; answer: PromiseWithResolvers<string[]> }[] = [];
  const read = inBatches(
    (_source: object, keys: string[]) => {
      const answer = Promise.withResolvers<string[]>();
      calls.push({ keys, answer });
      return answer.promise;
    },
    (key) => key,
  );
  const answerTo = (index: number) => calls[index]?.answer.resolve(calls[index].keys.map((key) => key.toUpperCase()));
  return { calls, read, answerTo };
}

const called = (calls: unknown[], count: number) => vi.waitFor(() => expect(calls).toHaveLength(count));

it('reads in one turn of the event loop share a query, and equal keys are read once', async () => {
  const { calls, read, answerTo } = slowStore();
  const reads = ['a', 'b', 'a'].map((key) => read(SOURCE, key));
  await called(calls, 1);
  expect(calls[0]?.keys).toEqual(['a', 'b']);
  answerTo(0);
  expect(await Promise.all(reads)).toEqual(['A', 'B', 'A']);
});

it('reads that are requested during a query share the next one, so that none sees data older than its request', async () => {
  const { calls, read, answerTo } = slowStore();
  const first = read(SOURCE, 'a');
  await called(calls, 1);
  const later = Array.from({ length: 300 }, (_, index) => read(SOURCE, `${index % 3}`));
  answerTo(0);
  await first;
  await called(calls, 2);
  expect(calls[1]?.keys).toEqual(['0', '1', '2']);
  answerTo(1);
  expect(new Set(await Promise.all(later))).toEqual(new Set(['0', '1', '2']));
});

it('an outage rejects the pending reads too; any other failure rejects only the reads of its query', async () => {
  const { calls, read, answerTo } = slowStore();
  const first = read(SOURCE, 'a');
  await called(calls, 1);
  const second = read(SOURCE, 'b');
  calls[0]?.answer.reject(new Error('a bug'));
  await expect(first).rejects.toThrow('a bug');
  await called(calls, 2);
  const third = read(SOURCE, 'c');
  calls[1]?.answer.reject(new Error('Command timed out'));
  await expect(second).rejects.toThrow('timed out');
  await expect(third).rejects.toThrow('timed out');
  const fourth = read(SOURCE, 'd');
  await called(calls, 3);
  answerTo(2);
  expect(await fourth).toBe('D');
});
