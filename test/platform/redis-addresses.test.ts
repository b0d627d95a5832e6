// REDIS_URL names a server, a cluster or Sentinels, which promote a replica when the primary is lost.
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { isRedisUrl, sentinelAddress } from '../../src/redis-address.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnRedis, startSentinel, withRedis } from '../support/own-servers.ts';
import { connectToRedis } from '../support/stores.ts';
import { createCertificate, startTcpProxy, trust } from '../support/tcp-proxy.ts';

async function startProxy(port: number, options: Parameters<typeof startTcpProxy>[1]) {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port }, options);
  onTestFinished(() => proxy.stop());
  return proxy;
}

async function startServer(settings = {}) {
  const server = await startOwnRedis({ settings });
  onTestFinished(() => server.dispose());
  return { ...server, port: Number(new URL(server.url).port) };
}

/** @returns the port of a Sentinel */
async function watch(primaryPort: number, ...settings: string[]): Promise<number> {
  const { port, stop } = await startSentinel(primaryPort, settings);
  onTestFinished(stop);
  return port;
}

function connect(redisUrl: string): RedisClient {
  const client = connectToRedis({ redisUrl });
  onTestFinished(() => client.disconnect());
  return client;
}

/** Connects to one server, which may still be starting. */
function connectTo(port: number): Redis {
  const client = new Redis(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

describe('REDIS_URL', () => {
  it.each([
    ['redis://localhost:6379', true],
    ['rediss://user:secret@redis.example:6380/0', true],
    ['redis://a:1,redis://b:2', true],
    ['redis+sentinel://:secret@a:26379,b:26379/primary', true],
    ['redis+sentinel://:secret@a,b/primary?sentinelPassword=other', true],
    ['redis+sentinel://a:26379', false],
    ['redis+sentinel://a:26379/primary?sentinel=other', false],
    ['http://localhost', false],
    ['redis://a:1,nonsense', false],
  ])('%s is valid: %s', (url, isValid) => {
    expect(isRedisUrl(url)).toBe(isValid);
  });

  it('with Sentinels names them, the primary, and the passwords of both', () => {
    expect(sentinelAddress('rediss+sentinel://ann:p%40ss@a:1,b/main?sentinelPassword=s%3F')).toEqual({
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26_379 },
      ],
      name: 'main',
      username: 'ann',
      password: 'p@ss',
      sentinelPassword: 's?',
      tls: {},
      enableTLSForSentinelMode: true,
      sentinelTLS: {},
    });
  });

  it('with Sentinels leads to the promoted replica when the primary is lost', async () => {
    const primary = await startServer();
    const replica = await startServer({ replicaof: ['127.0.0.1', `${primary.port}`] });
    const patience = ['sentinel down-after-milliseconds main 500', 'sentinel failover-timeout main 5000'];
    const sentinel = await watch(primary.port, ...patience);
    const client = connect(`redis+sentinel://127.0.0.1:${sentinel}/main`);
    const direct = connectTo(replica.port);
    // On a busy machine a Sentinel may promote the replica before it has the first value.
    await eventually(async () => {
      await client.set('game', 'on');
      expect(await direct.get('game')).toBe('on');
    });
    // A Sentinel gets the list of replicas from the primary every ten seconds.
    const monitor = connectTo(sentinel);
    const slow = { timeoutMs: 40_000 };
    await eventually(async () => expect(await monitor.call('SENTINEL', 'REPLICAS', 'main')).toHaveLength(1), slow);
    await primary.kill();
    await eventually(async () => {
      expect(await client.get('game')).toBe('on');
      expect(await client.set('game', 'goes on')).toBe('OK');
    }, slow);
    expect(await direct.get('game')).toBe('goes on');
  }, 150_000);

  it('with rediss+sentinel connects to both Sentinels and the primary by TLS', async () => {
    const certificate = await createCertificate('127.0.0.1');
    trust(certificate);
    const primary = await startServer();
    await withRedis(primary.url, (client) => client.config('SET', 'requirepass', 'secret'));
    const sentinel = await watch(primary.port, 'requirepass other', 'sentinel auth-pass main secret');
    const front = await startProxy(primary.port, { certificate });
    // A Sentinel with TLS would report the primary's TLS port. The ports have the same number of digits.
    const rewrite = (reply: Buffer) =>
      Buffer.from(reply.toString('latin1').replaceAll(`${primary.port}`, `${front.port}`), 'latin1');
    const { port } = await startProxy(sentinel, { certificate, rewrite });
    const client = connect(`rediss+sentinel://:secret@127.0.0.1:${port}/main?sentinelPassword=other`);
    await eventually(() => client.set('game', 'on'), { timeoutMs: 20_000 });
    expect(front.connections()).toBe(1);
  }, 30_000);

  it('with rediss refuses a certificate without a trusted issuer', async () => {
    const { port } = await startServer();
    const front = await startProxy(port, { certificate: await createCertificate('127.0.0.1') });
    const client = connect(`rediss://127.0.0.1:${front.port}`);
    await expect(once(client, 'ready')).rejects.toThrow(/self-signed certificate/);
    await expect(client.set('game', 'on')).rejects.toThrow();
  });
});
