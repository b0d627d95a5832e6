// Bounds the logs of all lobbies that one user, or the users of one client address, have created. The script that
// appends to a log says when it has grown; the process then tells the account of the address, and shortens the logs of
// whoever holds most where that is too much. A minute later an event tells what a crash has kept back. [contract 17]
import { BUDGETS } from '../budgets.ts';
import { inBatches } from '../platform/overload/batches.ts';
import { type Account, type Excess, type Holding, settle, tellHoldings } from '../platform/redis/holdings.ts';
import type { CountedNetwork } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import { lobbyIdOf, lobbyKeys, logsAccount } from './keys.ts';

export const TRIM_LOG = new URL('lua/trim-log.lua', import.meta.url);

const cutScript = loadScript(TRIM_LOG, new URL('lua/cut-log.lua', import.meta.url));

/**
 * The share of the budgets that texts in logs may take. A log may have grown by a sixteenth since it was told, and
 * Redis needs up to a fifth more for a stream than for its texts.
 */
const TEXTS_SHARE = 3 / 4;

/** A log counts for so long after it was told, ms: an event tells it once a minute, and it expires 11 minutes later. */
const COUNTED_MS = 12 * 60_000;

/** What a script tells of a log: its bytes, its lobby's creator, and the networks of the creator's address, JSON. */
export type ToldLog = [bytes: string, creatorId: string, networks: string] | [];

type Told = Holding & { account: Account };

const tell = inBatches(
  async (redis: RedisClient, told: Told[]) => {
    for (const [name, ofAccount] of Map.groupBy(told, ({ account }) => account.name)) {
      const [{ account }] = ofAccount as [Told];
      const excess = await tellHoldings(redis, { ...account, name }, ofAccount);
      await settle(redis, account, excess, (much) => shorten(redis, much));
    }
    return told.map(() => undefined);
  },
  ({ account, item, bytes }) => `${account.name} ${item} ${bytes}`,
);

/** @returns a function that tells, in the background, what the log of the lobby with this key takes */
export function createLogBudget(redis: RedisClient) {
  return (lobbyKey: string, [bytes, holder = '', networks]: ToldLog): void => {
    const item = lobbyIdOf(lobbyKey);
    // The account is wrong until the log is told again, within a minute.
    for (const account of accountsOf(holder, networks))
      tell(redis, { account, holder, item, bytes: Number(bytes) }).catch(() => {});
  };
}

/** @param networks those of the creator's address; without them, the host has an account alone */
function accountsOf(holder: string, networks?: string): Account[] {
  const counted: CountedNetwork[] = networks ? JSON.parse(networks) : [{ key: holder, times: 1 }];
  return counted.map(({ key, times }) => ({
    name: logsAccount(key),
    max: times * BUDGETS.logsOfAddress.max * TEXTS_SHARE,
    maxOfHolder: BUDGETS.logsOfHost.max * TEXTS_SHARE,
    ttlMs: COUNTED_MS,
    relief: 1 / 16,
    yieldingAtOnce: 500,
  }));
}

/** Shortens the longest logs of each host to one length. */
async function shorten(redis: RedisClient, { keepBytes, holders }: Excess): Promise<Holding[]> {
  const tooLong = holders.flatMap(({ holder, items }) => {
    const sizes = items.map(({ bytes }) => bytes);
    const level = levelOf(sizes, keepBytes);
    return items.flatMap(({ item, bytes }) => (bytes > level ? [{ holder, item, level }] : []));
  });
  const cut = async ({ holder, item, level }: (typeof tooLong)[number]) => {
    const [lobby, log] = lobbyKeys(item);
    return { holder, item, bytes: Number(await runScript(redis, cutScript, [lobby, log], [level])) };
  };
  return Promise.all(tooLong.map(cut));
}

/** @returns the bytes to which the largest parts have to come down, so that all parts together have `total` bytes */
export function levelOf(parts: number[], total: number): number {
  let left = total;
  const sorted = parts.toSorted((a, b) => a - b);
  for (const [index, bytes] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (bytes > share) return Math.max(0, Math.floor(share));
    left -= bytes;
  }
  return Number.POSITIVE_INFINITY;
}
