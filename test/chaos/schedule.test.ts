// A chaos run is reproducible: its seed alone determines the faults and their times.
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/tools/prove/random.ts';
import { type Circumstances, drawStorm, KINDS, possibleKinds } from './schedule.ts';

const circumstances: Circumstances = { topology: 'single', replicas: 3, workers: 2, hasRelease: false, hasDisk: true };

function storms(seed: number, of: Circumstances = circumstances) {
  const random = createRandom(seed);
  return Array.from({ length: 100 }, () => drawStorm(random, of));
}

describe('the schedule of faults', () => {
  it('is equal for equal seeds, and different for different ones', () => {
    expect(storms(7)).toEqual(storms(7));
    expect(storms(7)).not.toEqual(storms(8));
  });

  it('stays within its bounds and includes every kind of fault and every process', () => {
    const faults = storms(1).flat();
    for (const { kind, place, index, lastsMs } of faults) {
      const { places, lastsMs: bounds } = KINDS[kind];
      expect(places).toContain(place);
      expect(lastsMs).toBeGreaterThanOrEqual(bounds[0]);
      expect(lastsMs).toBeLessThanOrEqual(bounds[1]);
      expect(index).toBeLessThan({ replica: 3, worker: 2, redis: 1, postgres: 1 }[place]);
    }
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(possibleKinds(circumstances)));
    expect(new Set(faults.map(({ place, index }) => place + index)).size).toBe(3 + 2 + 1 + 1);
  });

  it('leaves out faults that the environment does not support', () => {
    expect(possibleKinds(circumstances)).not.toContain('update');
    expect(possibleKinds({ ...circumstances, hasRelease: true })).toContain('update');
    expect(possibleKinds(circumstances)).toContain('full-postgres');
    expect(possibleKinds({ ...circumstances, hasDisk: false })).not.toContain('full-postgres');
    expect(possibleKinds(circumstances)).not.toContain('lose-writes');
    expect(possibleKinds({ ...circumstances, topology: 'sentinel' })).toContain('lose-writes');
    expect(possibleKinds({ ...circumstances, topology: 'cluster' })).toContain('lose-master');
    expect(possibleKinds({ ...circumstances, topology: 'cluster' })).not.toContain('cut-redis');
  });
});
