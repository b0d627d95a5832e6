// Work that a crowd asks for at once.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGate } from '../../src/platform/gate.ts';

function crowdOf(count: number, max: number) {
  const gate = createGate(max);
  const started: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const one = Promise.withResolvers<void>();
    started.push(one);
    return one.promise;
  };
  return { started, done: Array.from({ length: count }, () => gate(work)), gate, work };
}

it('so many are under way, the others follow in their order', async () => {
  const { started, done } = crowdOf(5, 2);
  for (let finished = 0; finished < 5; finished++) {
    await nextTurn();
    expect(started).toHaveLength(Math.min(5, finished + 2));
    started[finished]?.resolve();
  }
  await Promise.all(done);
});

it('a failure is its own; an outage refuses those who wait, and the next ones are let in', async () => {
  const { started, done, gate, work } = crowdOf(4, 1);
  const settled = Promise.allSettled(done);
  started[0]?.reject(new Error('a bug'));
  await nextTurn();
  expect(started).toHaveLength(2);
  started[1]?.reject(new Error('Command timed out'));
  expect((await settled).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(started).toHaveLength(2);
  const later = gate(work);
  await nextTurn();
  started[2]?.resolve();
  await later;
});
