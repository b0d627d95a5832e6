// A short run of `npm run chaos`: faults of processes and stores never cause a wrong message to a client.
// [contract 5, 16]
import { expect, it } from 'vitest';
import { run } from '../chaos/run.ts';

it('games on real processes survive many faults', async () => {
  const { violations, games, faults } = await run({
    seed: 20_261_122,
    durationMs: 10_000,
    topology: 'single',
    tables: 4,
    signal: new AbortController().signal,
  });
  expect(violations).toEqual([]);
  expect(games).toBeGreaterThan(0);
  expect(faults.size).toBeGreaterThan(0);
}, 300_000);
