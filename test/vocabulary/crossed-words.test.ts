// Every operation and message that takes words, or gives them, is crossed with hostile lists in each mode: none fails, and
// what each leaves in the stores is within the contract's bytes. Operations, messages and modes are found by their
// schemas. What they cost is a test of the system. [contract 14, 17, 20, 21]
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import { crossWords, newPlayers } from '../support/crossing/course.ts';
import { listsOf } from '../support/crossing/lists.ts';
import { BYTES_MAX, createStoreMeter, type StoreMeter } from '../support/crossing/stored-bytes.ts';
import { useService } from '../support/service.ts';

/** Fifty questions of this many terms have as many bytes as those of the longest lists. */
const { ordinary, hostile } = listsOf(200);

const { service, stores } = useService();
let meter: StoreMeter;
beforeAll(() => {
  meter = createStoreMeter(service.services, stores);
});
afterAll(() => meter.stop());

/** @returns what has happened, and which cells have left more than they may */
async function cross(terms: ListTerm[]) {
  const players = await newPlayers(service.services, service.url);
  const excess: string[] = [];
  const outcome = await crossWords({
    url: service.url,
    terms,
    players,
    async measure({ mode, name, how }, act, prepare) {
      await prepare?.(false);
      const { result, grown } = await meter.during(act);
      const max = BYTES_MAX[name.includes('/api/') ? 'operation' : 'game'];
      const { redis, postgres } = grown;
      if (redis > max.redis || postgres > max.postgres)
        excess.push(`${name} (${mode}, ${how}): ${redis} bytes of Redis, ${postgres} of PostgreSQL`);
      return result;
    },
  });
  for (const player of players) player.drop();
  return { ...outcome, excess };
}

it('every operation and message that takes words or gives them is found by its schema, and succeeds with an ordinary list', async () => {
  const { found, done, faults, modes, excess } = await cross(ordinary);
  const missing = found.filter((name) => !done.has(name));
  const advice =
    'The course of test/support/crossing cannot do these. Give it what their requests need: a value under the name of the field in course.ts, or a place in the game in game.ts.';
  expect(missing, advice).toEqual([]);
  expect(found.length).toBeGreaterThan(30);
  expect(modes.length).toBeGreaterThan(1);
  expect([...faults, ...excess]).toEqual([]);
}, 120_000);

describe('[contract 17] no operation or message fails, or leaves more in the stores than it may', () => {
  it.each(hostile)('if a list has $name', async ({ terms }) => {
    const { faults, excess } = await cross(terms);
    expect([...faults, ...excess]).toEqual([]);
  });
});
