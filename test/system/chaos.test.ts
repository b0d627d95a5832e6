// A short run of `npm run chaos`: faults of processes and stores never cause a wrong message to a client. The storm of
// its seed kills a replica and both workers, kills, freezes and cuts off Redis, while rounds run. [contract 5, 16]
import { expect, it } from 'vitest';
import { run } from '../chaos/run.ts';

it('games on real processes survive kills, outages and cut connections', async () => {
  const { violations, games, faults } = await run({
    seed: 20_261_604,
    durationMs: 10_000,
    topology: 'single',
    tables: 4,
    signal: new AbortController().signal,
  });
  expect(violations).toEqual([]);
  expect(games).toBeGreaterThan(0);
  expect([...faults.keys()]).toEqual(expect.arrayContaining(['kill', 'restart-redis', 'freeze-redis', 'cut-redis']));
}, 300_000);
