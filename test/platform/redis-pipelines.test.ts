// The commands of one turn of the event loop share a pipeline. When the connection breaks in its middle, only
// the commands without a reply fail.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOutage } from '../../src/platform/outages/outage.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { eventually } from '../support/eventually.ts';
import { connectToRedis, useStores } from '../support/stores.ts';
import { startProxyOf, type TcpProxy } from '../support/tcp-proxy.ts';

const stores = useStores();
let proxy: TcpProxy;
let redis: RedisClient;
/** Another connection through the proxy. */
let observer: RedisClient;
beforeAll(async () => {
  const through = await startProxyOf(stores.redisUrl);
  proxy = through.proxy;
  redis = connectToRedis({ redisUrl: through.url });
  observer = connectToRedis({ redisUrl: through.url });
});
afterAll(async () => {
  redis.disconnect();
  observer.disconnect();
  await proxy.stop();
});

it('a command without a reply in a broken pipeline fails as an outage, and the next command works', async () => {
  await redis.set('first', 'value');
  // Redis replies to the first command and blocks on the second one.
  const both = Promise.allSettled([redis.get('first'), redis.blpop('empty', 0)]);
  await eventually(async () => expect(await observer.client('LIST')).toContain(' cmd=blpop '));
  proxy.cut();
  const [first, second] = await both;
  expect(first).toEqual({ status: 'fulfilled', value: 'value' });
  expect(second.status === 'rejected' && isOutage(second.reason)).toBe(true);
  expect(await redis.get('first')).toBe('value');
});

it('commands that wait for a reply when the connection breaks are sent again', async () => {
  proxy.stall();
  const pending = Promise.all([redis.get('first'), redis.get('first')]);
  // The pipeline is sent at the end of this turn.
  await nextTurn();
  proxy.unstall();
  proxy.cut();
  expect(await pending).toEqual(['value', 'value']);
});
