// The lists from which questions are drawn are kept in a limited memory, and are read a few at a time. [contract 17]
import { beforeAll, describe, expect, it } from 'vitest';
import { createListPools } from '../../src/vocabulary/pools.ts';
import { storeList } from '../support/lists.ts';
import { createPlayer } from '../support/player.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

describe('[contract 17] the pools of lists', () => {
  const TINY = Array.from({ length: 2000 }, (_, at) => ({
    sourceText: at.toString(36),
    targetText: (3000 + at).toString(36),
  }));
  let listId: string;
  let loads = 0;
  let [underWay, most] = [0, 0];
  let pools: ReturnType<typeof createListPools>;
  const read = (version: number) => pools.pool({ listId, version });

  beforeAll(async () => {
    const { http } = await createPlayer(service.services, service.url);
    ({ listId } = await storeList(http, { terms: TINY }));
    const { postgres } = service.services;
    const run = postgres.query as (...statement: unknown[]) => Promise<unknown>;
    const query = async (...statement: unknown[]) => {
      loads++;
      most = Math.max(most, ++underWay);
      return run(...statement).finally(() => underWay--);
    };
    pools = createListPools({ query: query as typeof postgres.query });
  });

  it('are made two at a time, and once for all who wait for one', async () => {
    const versions = Array.from({ length: 15 }, (_, at) => at);
    await Promise.all([...versions, ...versions].map(read));
    expect(loads).toBe(15);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('take a limited memory, whatever the length of the words', async () => {
    for (let version = 0; version < 60; version++) await read(version);
    loads = 0;
    for (let version = 40; version < 60; version++) await read(version);
    expect(loads).toBe(0);
    for (let version = 0; version < 20; version++) await read(version);
    expect(loads).toBe(20);
  });
});
