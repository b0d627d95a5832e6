// Ids that lead to few slots of a cluster, so that what lies beside them is found.
import keySlot from 'cluster-key-slot';
import { Cluster } from 'ioredis';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { gatheredSlots, newGatheredId } from '../../src/platform/slots.ts';

test('gathered ids are different random UUIDs whose slots are the gathered ones, all of them', () => {
  const ids = Array.from({ length: 10_000 }, newGatheredId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true);
  const cluster = new Cluster([], { lazyConnect: true });
  const slots = new Set(ids.map((id) => keySlot(`game:{${id}}`)));
  expect([...slots].toSorted((a, b) => a - b)).toEqual(gatheredSlots(cluster));
  expect(slots.size).toBe(128);
});
