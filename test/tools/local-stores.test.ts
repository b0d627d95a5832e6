// Each test file has stores of its own, which it can stop, pause and kill.
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { isPortFree } from '../../src/tools/dev/ports.ts';
import { eventually } from '../support/eventually.ts';
import { query, redisClient } from '../support/local-servers.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { startOwnPostgres, startStores } from '../support/stores.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

describe('the stores of a test file', () => {
  test('are migrated, empty, and separate from those of other files', async () => {
    const [one, other] = await Promise.all([startStores(), startStores()]);
    await query(one.databaseUrl, 'CREATE TABLE mine (id int)');
    const [found] = await query(
      other.databaseUrl,
      `SELECT to_regclass('mine') AS mine,
      to_regclass('lobby') IS NOT NULL AS migrated`,
    );
    expect(found).toEqual({ mine: null, migrated: true });
    expect(one.redisUrl).not.toBe(other.redisUrl);
    await Promise.all([one.stop(), other.stop()]);
    await expect(query(one.databaseUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  test('include a Redis that can be stopped, started, paused and killed without data loss', async () => {
    const { redis, redisUrl, stop } = await startStores();
    const client = redisClient(redisUrl);
    await client.set('kept', 'yes');
    await redis.stop();
    await expect(client.get('kept')).rejects.toThrow();
    await redis.start();
    await eventually(async () => expect(await client.get('kept')).toBe('yes'));
    redis.pause();
    const answer = client.get('kept');
    expect(await Promise.race([answer, timeoutAfter(200)])).toBe('nothing');
    redis.resume();
    expect(await answer).toBe('yes');
    await redis.kill();
    await redis.start();
    await eventually(async () => expect(await client.get('kept')).toBe('yes'));
    client.disconnect();
    await stop();
  });

  test('may include a PostgreSQL that can be stopped, started, paused and killed', async () => {
    const own = await startOwnPostgres();
    await query(own.databaseUrl, 'CREATE TABLE kept (id int)');
    const client = new pg.Client({ connectionString: own.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    own.pause();
    const answer = client.query('SELECT 1 AS one');
    expect(await Promise.race([answer, timeoutAfter(200)])).toBe('nothing');
    own.resume();
    expect((await answer).rows).toEqual([{ one: 1 }]);
    await own.kill();
    await expect(query(own.databaseUrl, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    await own.start();
    expect(await query(own.databaseUrl, 'SELECT * FROM kept')).toEqual([]);
    await client.end().catch(() => undefined);
    await own.dispose();
  });

  test('can be reached through a proxy that cuts, refuses and stalls connections', async () => {
    const { redisUrl, stop } = await startStores();
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(redisUrl).port) });
    const client = redisClient(proxy.url('redis'));
    const closed = () => new Promise((resolve) => client.once('close', resolve));
    expect(await client.ping()).toBe('PONG');
    const cut = closed();
    proxy.cut();
    await cut;
    await eventually(async () => expect(await client.ping()).toBe('PONG'));
    proxy.stall();
    const answer = client.ping();
    expect(await Promise.race([answer, timeoutAfter(200)])).toBe('nothing');
    proxy.unstall();
    expect(await answer).toBe('PONG');
    await proxy.block();
    await expect(client.ping()).rejects.toThrow();
    expect(await isPortFree(proxy.port)).toBe(true);
    await proxy.unblock();
    await eventually(async () => expect(await client.ping()).toBe('PONG'));
    client.disconnect();
    await proxy.stop();
    await stop();
  });

  test('may be a Redis Cluster of three masters with all slots', async () => {
    const cluster = await startRedisCluster();
    const nodes = cluster.nodes.split(',');
    expect(nodes).toHaveLength(3);
    const client = new Redis.Cluster(nodes);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => client.set(key, key)));
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => client.get(key)))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    client.disconnect();
    await cluster.stop();
  });
});

function timeoutAfter(delayMs: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, delayMs, 'nothing'));
}
