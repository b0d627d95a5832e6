// Every operation and message that takes words, or gives them, is crossed with large lists, each in half of the modes:
// none fails, and
// what each leaves in the stores is within the contract's bytes. Operations, messages and modes are found by their
// schemas. What they cost is a test of the system. [contract 14, 17, 20, 21]

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import type { Services } from '../../src/services.ts';
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import { type Course, crossWords, modesAt, newPlayers } from '../support/crossing/course.ts';
import { listsOf } from '../support/crossing/lists.ts';
import { useService } from '../support/service.ts';
import type { TestStores } from '../support/stores.ts';

/** Fifty questions of this many terms have as many bytes as those of the longest lists. */
const { ordinary, hostile } = listsOf(200);
/** What the others have most of takes time, and no bytes. */
const LARGE = ['forms', 'bytes', 'marks', 'alternatives', 'translations', 'glosses'];

const { service, stores } = useService();
let meter: StoreMeter;
let modes: NonNullable<Course['modes']> = [];
beforeAll(() => {
  meter = createStoreMeter(service.services, stores);
});
afterAll(() => meter.stop());

/** @returns what has happened, and which cells have left more than they may */
async function cross(terms: ListTerm[], asked = modes) {
  const players = await newPlayers(service.services, service.url);
  const excess: string[] = [];
  const outcome = await crossWords({
    url: service.url,
    terms,
    players,
    modes: asked,
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
  const { found, done, faults, excess, ...outcome } = await cross(ordinary);
  ({ modes } = outcome);
  const missing = found.filter((name) => !done.has(name));
  const advice =
    'The course of test/support/crossing cannot do these. Give it what their requests need: a value under the name of the field in course.ts, or a place in the game in game.ts.';
  expect(missing, advice).toEqual([]);
  expect(found.length).toBeGreaterThan(30);
  expect(modes.length).toBeGreaterThan(1);
  expect([...faults, ...excess]).toEqual([]);
}, 120_000);

describe('[contract 17] no operation or message fails, or leaves more in the stores than it may', () => {
  const large = hostile.filter(({ name }) => LARGE.some((what) => name.endsWith(what)));
  it.each(large.map((list, place) => ({ ...list, place })))('if a list has $name', async ({ terms, place }) => {
    const { faults, excess } = await cross(terms, modesAt(modes, place));
    expect([...faults, ...excess]).toEqual([]);
  });
});

// Measures what one act leaves in the stores: the rows that it has written, and what Redis holds more than before.

interface StoredBytes {
  /** Without the logs of lobbies, which have a budget of their own. */
  redis: number;
  /** The rows as text, before any compression, without those of lists, of which an owner has a budget. */
  postgres: number;
}

const KIB = 1024;
/** The players of the games. */
const PLAYERS = 3;

/** What an operation may leave, and a game, or a message that begins or ends one. [contract 17] */
const BYTES_MAX = {
  operation: { redis: 64 * KIB, postgres: 192 * KIB },
  game: { redis: (256 + PLAYERS) * KIB, postgres: (256 + PLAYERS) * KIB },
};

interface StoreMeter {
  during<T>(act: () => Promise<T>): Promise<{ result: T; grown: StoredBytes }>;
  stop(): Promise<void>;
}

/** Nothing else may use the stores meanwhile. */
function createStoreMeter({ redis }: Pick<Services, 'redis'>, { databaseUrl }: TestStores): StoreMeter {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  let statement: string | undefined;

  async function writtenSince(transaction: string): Promise<number> {
    if (!statement) {
      const { rows } = await pool.query<{ table: string }>(
        `SELECT format('%I', relname) AS "table" FROM pg_class
          WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ 'list'`,
      );
      const parts = rows.map(
        ({ table }) => `SELECT octet_length(t::text) AS bytes FROM ${table} t WHERE t.xmin::text::bigint >= $1`,
      );
      statement = `SELECT coalesce(sum(bytes), 0)::int AS bytes FROM (${parts.join(' UNION ALL ')}) written`;
    }
    const { rows } = await pool.query<{ bytes: number }>(statement, [transaction]);
    return rows[0]?.bytes ?? 0;
  }

  async function nextTransaction(): Promise<string> {
    const { rows } = await pool.query<{ next: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next');
    return rows[0]?.next ?? '0';
  }

  return {
    async during(act) {
      const [redisBefore, transaction] = [await heldBy(redis), await nextTransaction()];
      const result = await act();
      const grown = (await heldBy(redis)) - redisBefore;
      return { result, grown: { redis: grown, postgres: await writtenSince(transaction) } };
    },
    stop: () => pool.end(),
  };
}

/** Sums up what all keys take, in one step. Streams are the logs of lobbies, and of queues. */
const HELD = `
local held = 0
for _, key in ipairs(redis.call('KEYS', '*')) do
  if redis.call('TYPE', key).ok ~= 'stream' then
    held = held + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0)
  end
end
return held`;

async function heldBy(redis: RedisClient): Promise<number> {
  return Number(await redis.call('EVAL', HELD, 0));
}
