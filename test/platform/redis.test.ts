// The service's connections to Redis: what becomes of commands when they break, to which server they go after a failover,
// the clock that sets deadlines, and subscriptions. The service itself renews these over a connection that breaks, because
// a refusal during ioredis' own renewal would end the process. [contract 5.4, 18]
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectRedis, createChannels, createRedisClock, type RedisClient } from '../../src/platform/redis/redis.ts';
import { announceChange, followChanges } from '../../src/vocabulary/pools.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnRedis } from '../support/own-servers.ts';
import { connectToRedis, useStores } from '../support/stores.ts';
import { startProxyOf, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const WRONG_MS = 600_000;

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

it('commands are written together at the end of a turn of the event loop', async () => {
  await redis.ping();
  const { stream } = redis as Redis;
  const sentBefore = stream.bytesWritten - stream.writableLength;
  const sent = () => stream.bytesWritten - stream.writableLength - sentBefore;
  const both = Promise.all([redis.echo('one'), redis.echo('two')]);
  expect(sent()).toBe(0);
  await nextTurn();
  expect(sent()).toBe(2 * '*2\r\n$4\r\necho\r\n$3\r\none\r\n'.length);
  expect(await both).toEqual(['one', 'two']);
});

it('of commands that are written together, those that have no reply when the connection breaks are sent again', async () => {
  await redis.set('first', 'value');
  // Redis replies to the first command and blocks on the second one.
  const both = Promise.all([redis.get('first'), redis.blpop('queue', 0), redis.get('first')]);
  await eventually(async () => expect(await observer.client('LIST')).toContain(' cmd=blpop '));
  proxy.cut();
  await observer.rpush('queue', 'pushed');
  expect(await both).toEqual(['value', ['queue', 'pushed'], 'value']);
});

it('a client of a primary that a failover has made a replica reconnects to the server behind the address', async () => {
  const [old, other] = await Promise.all([startOwnRedis(), startOwnRedis()]);
  const portOf = ({ url }: typeof old) => Number(new URL(url).port);
  const target = { host: '127.0.0.1', port: portOf(old) };
  const address = await startTcpProxy(target);
  const client = connectToRedis({ redisUrl: address.url('redis') });
  const direct = new Redis(old.url);
  onTestFinished(async () => {
    for (const one of [client, direct]) one.disconnect();
    await address.stop();
    await Promise.all([old, other].map((server) => server.dispose()));
  });
  expect(await client.set('before', 'written')).toBe('OK');
  await direct.replicaof('127.0.0.1', portOf(other));
  // The address still points to the old primary, so that the client gets its error and reconnects in vain.
  await expect(client.set('during', 'refused')).rejects.toThrow('READONLY');
  target.port = portOf(other);
  await expect.poll(() => client.set('after', 'written').catch((error: Error) => error.message)).toBe('OK');
});

it('the clock of a process on a machine with a wrong one is right as soon as Redis replies after an outage that exceeded the command timeout', async () => {
  const wrong = performance.timeOrigin + WRONG_MS;
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, get: () => wrong });
  await proxy.block();
  const away = connectRedis({ url: proxy.url('redis'), cluster: false }, 'commands', createLogger('silent', 'test'));
  const clock = createRedisClock(away);
  onTestFinished(() => {
    Reflect.deleteProperty(performance, 'timeOrigin');
    clock.stop();
    away.disconnect();
  });
  await expect(away.ping()).rejects.toThrow('Command timed out');
  await proxy.unblock();
  for (let pings = 0; pings < 2; pings++) await eventually(() => away.ping());
  expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(30_000);
});

/** @returns an administrator's connection, and until the test ends a subscriber's with its channels and counted changes */
async function subscribe(user?: string) {
  const admin = new Redis(stores.redisUrl);
  if (user) await admin.call('ACL', 'SETUSER', user, 'on', '>secret', '~*', '+@all', 'allchannels');
  const redisUrl = user ? stores.redisUrl.replace('redis://', `redis://${user}:secret@`) : stores.redisUrl;
  const connection = connectToRedis({ redisUrl }, 'subscriber');
  onTestFinished(() => {
    connection.disconnect();
    admin.disconnect();
  });
  const received: string[] = [];
  const channels = createChannels(connection, {
    message: (_channel, message) => received.push(message),
    resubscribed() {},
  });
  let changes = 0;
  followChanges(connection, () => changes++);
  await channels.subscribe('{game}');
  return { admin, connection, channels, received, changes: () => changes };
}

it('subscriptions that a server refuses for a while do not end the process, and are made again afterwards', async () => {
  const { admin, connection, channels, received, changes } = await subscribe('quiz');
  const allow = (channels: string) => admin.call('ACL', 'SETUSER', 'quiz', channels);
  let breaks = 0;
  connection.on('close', () => breaks++);
  await eventually(() => expect(changes()).toBeGreaterThan(0));
  // Redis closes the connections whose user has lost the permission for their subscribed channels.
  await allow('resetchannels');
  await eventually(() => expect([breaks, connection.status]).toEqual([1, 'ready']));
  await connection.ping();
  await allow('allchannels');
  const before = changes();
  channels.reconnect();
  await eventually(async () => {
    await admin.spublish('{game}', 'again');
    await announceChange(admin);
    expect(received).toContain('again');
    expect(changes()).toBeGreaterThan(before + 1);
  });
});

it('a replica that has left its last lobby still gets the announcements of changed words', async () => {
  const { admin, connection, channels, changes } = await subscribe();
  channels.unsubscribe('{game}');
  await connection.ping();
  const before = changes();
  await eventually(async () => {
    await announceChange(admin);
    expect(changes()).toBeGreaterThan(before);
  });
});
