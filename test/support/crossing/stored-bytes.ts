// Measures what one act leaves in the stores: the rows that it has written, and what Redis holds more than before.
import pg from 'pg';
import type { RedisClient } from '../../../src/platform/redis/redis.ts';
import type { Services } from '../../../src/services.ts';
import type { TestStores } from '../stores.ts';

export interface StoredBytes {
  /** Without the logs of lobbies, which have a budget of their own. */
  redis: number;
  /** The rows as text, before any compression, without those of lists, of which an owner has a budget. */
  postgres: number;
}

const KIB = 1024;
/** The players of the games. */
const PLAYERS = 3;

/** What an operation may leave, and a game, or a message that begins or ends one. [contract 17] */
export const BYTES_MAX = {
  operation: { redis: 64 * KIB, postgres: 192 * KIB },
  game: { redis: (256 + PLAYERS) * KIB, postgres: (256 + PLAYERS) * KIB },
};

export interface StoreMeter {
  during<T>(act: () => Promise<T>): Promise<{ result: T; grown: StoredBytes }>;
  stop(): Promise<void>;
}

/** Nothing else may use the stores meanwhile. */
export function createStoreMeter({ redis }: Pick<Services, 'redis'>, { databaseUrl }: TestStores): StoreMeter {
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
