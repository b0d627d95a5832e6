// The cache of decks in memory, with a fake clock and a fake source.
import { setImmediate as settled } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRefreshingCache, type RefreshingCache } from '../../src/platform/overload/refreshing-cache.ts';

const AWAY = new Error('away');
/** A clock of lru-cache never stands at 0. */
const START_MS = 1000;

let nowMs: number;
/** The source's result. Loads wait while `held` is true. */
let source: { value: string | Error; held: boolean };
let loads: string[];
let waiting: (() => void)[];
let reported: unknown[];
let cache: RefreshingCache<string, string>;

beforeEach(() => {
  nowMs = START_MS;
  source = { value: 'old', held: false };
  loads = [];
  waiting = [];
  reported = [];
  cache = createRefreshingCache<string, string>({
    load: async (key) => {
      loads.push(key);
      const { value } = source;
      if (source.held) await new Promise<void>((resolve) => waiting.push(resolve));
      if (value instanceof Error) throw value;
      return `${key} ${value}`;
    },
    identify: (key) => key,
    isCached: (value) => !value.endsWith('empty'),
    refreshAfterMs: 60_000,
    capacity: 3,
    onRefreshError: (error) => reported.push(error),
    now: () => nowMs,
  });
});

function release(): Promise<void> {
  source.held = false;
  for (const resolve of waiting.splice(0)) resolve();
  return settled();
}

describe('a cached value', () => {
  test('is loaded at its first use, and not again while it is fresh', async () => {
    expect(await cache.get('a')).toBe('a old');
    nowMs = START_MS + 60_000;
    source.value = 'new';
    expect(await cache.get('a')).toBe('a old');
    expect(loads).toEqual(['a']);
  });

  test('is loaded once for any number of concurrent first uses', async () => {
    source.held = true;
    const uses = Promise.all(Array.from({ length: 50 }, () => cache.get('a')));
    await settled();
    await release();
    expect(new Set(await uses)).toEqual(new Set(['a old']));
    expect(loads).toEqual(['a']);
  });

  test('is returned at once when it is old, and refreshed once in the background', async () => {
    await cache.get('a');
    nowMs = START_MS + 60_001;
    source = { value: 'new', held: true };
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['a old', 'a old']);
    await release();
    expect(await cache.get('a')).toBe('a new');
    expect(loads).toEqual(['a', 'a']);
  });

  test('stays while its source is unavailable; a refresh is tried every 5 s, and each failure is reported', async () => {
    await cache.get('a');
    source.value = AWAY;
    for (const ageMs of [60_001, 60_002, 65_001, 65_002]) {
      nowMs = START_MS + ageMs;
      expect(await cache.get('a')).toBe('a old');
      expect(await cache.get('a')).toBe('a old');
      await settled();
    }
    expect(reported).toEqual([AWAY, AWAY]);
    source.value = 'new';
    nowMs = START_MS + 70_003;
    await cache.get('a');
    await settled();
    expect(await cache.get('a')).toBe('a new');
  });

  test('is missing while its source is unavailable at the first use, and is loaded at a later use', async () => {
    source.value = AWAY;
    await expect(cache.get('a')).rejects.toBe(AWAY);
    source.value = 'new';
    expect(await cache.get('a')).toBe('a new');
    expect(reported).toEqual([]);
  });

  test('is loaded at every use if it is not to be cached, and then replaces an older one', async () => {
    await cache.get('a');
    cache.invalidate();
    source.value = 'empty';
    expect(await cache.get('a')).toBe('a empty');
    source.value = 'new';
    expect(await cache.get('a')).toBe('a new');
  });
});

describe('an invalidated value', () => {
  test('is not returned', async () => {
    await cache.get('a');
    await cache.get('b');
    cache.invalidate();
    source.value = 'new';
    expect(await Promise.all([cache.get('a'), cache.get('b')])).toEqual(['a new', 'b new']);
    expect(loads).toHaveLength(4);
  });

  test.each(['first', 'last'])('is not returned by a load that had begun before, and ends %s', async (end) => {
    source.held = true;
    const early = cache.get('a');
    await settled();
    cache.invalidate();
    source = { value: 'new', held: end === 'first' };
    const late = cache.get('a');
    if (end === 'last') expect(await late).toBe('a new');
    await release();
    expect(await Promise.all([early, late])).toEqual(['a old', 'a new']);
    expect(await cache.get('a')).toBe('a new');
    expect(loads).toHaveLength(2);
  });

  test('is returned while the source is unavailable', async () => {
    await cache.get('a');
    cache.invalidate();
    source.value = AWAY;
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['a old', 'a old']);
    expect(reported).toEqual([AWAY]);
  });
});

test('the number of cached values is limited, and the least recently used one is evicted', async () => {
  for (const key of ['a', 'b', 'c', 'a', 'd']) await cache.get(key);
  loads = [];
  for (const key of ['a', 'c', 'd']) await cache.get(key);
  expect(loads).toEqual([]);
  await cache.get('b');
  expect(loads).toEqual(['b']);
});
