// Accounts of what strangers hold in Redis, spread over the slots of a cluster, so that no script sees all of it: a
// process that stores something tells its bytes to an account of the client address, and removes what is too much.
// [contract 17]
import type { RedisClient } from './redis.ts';
import { chunksOf, loadScript, runScript } from './scripts.ts';

const tellScript = loadScript(new URL('lua/tell-holdings.lua', import.meta.url));

/** How often something gives way after one tell at most. The next tell goes on where it was not enough. */
const ROUNDS = 10;

export interface Account {
  name: string;
  /** The bytes that all its holders, and one of them, may hold. */
  max: number;
  maxOfHolder: number;
  /** For how long an item counts without being told again, ms. */
  ttlMs: number;
  /** Which share of the bytes gives way beyond the excess, so that something seldom has to. */
  relief: number;
  yieldingAtOnce: number;
}

export interface Holding {
  holder: string;
  item: string;
  /** 0: the item is gone. */
  bytes: number;
}

export type Excess = NonNullable<Awaited<ReturnType<typeof tellHoldings>>>;

/**
 * Tells what items take now. @returns null, or the holders of too much, the one first who holds most, with their items,
 * the one first that was told first, and how many bytes each of them may keep
 */
export async function tellHoldings(
  redis: RedisClient,
  { name, max, maxOfHolder, ttlMs, relief, yieldingAtOnce }: Account,
  holdings: readonly Holding[],
) {
  const keys = ['account', 'items', 'holders', 'owned'].map((part) => `{${name}}:${part}`);
  const told = holdings.flatMap(({ holder, item, bytes }) => [holder, item, bytes]);
  const args = [ttlMs, max, maxOfHolder, relief, yieldingAtOnce, ...told];
  const [keepBytes, ...rows] = (await runScript(redis, tellScript, keys, args)) as [string, ...string[][]] | [];
  if (keepBytes === undefined) return null;
  const holders = rows.map(([holder = '', ...pairs]) => {
    const items = chunksOf(pairs, 2).map(([item = '', bytes]) => ({ item, bytes: Number(bytes) }));
    return { holder, items };
  });
  return { keepBytes: Number(keepBytes), holders };
}

/** Lets those who hold most give way until nobody holds too much. @param giveWay resolves to what is left of it */
export async function settle(
  redis: RedisClient,
  account: Account,
  first: Excess | null,
  giveWay: (excess: Excess) => Promise<Holding[]>,
): Promise<void> {
  let excess = first;
  for (let round = 0; excess && round < ROUNDS; round++)
    excess = await tellHoldings(redis, account, await giveWay(excess));
}
