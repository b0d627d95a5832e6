// A Redis Cluster of three masters on this machine, formed over the driver: there is no redis-cli.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { type EmbeddedRedis, startRedis } from '../../src/platform/local-stack/redis.ts';
import { eventually } from './eventually.ts';

const SLOTS = 16_384;
const MASTERS = 3;

export interface RedisCluster {
  /** For `REDIS_URL` with `REDIS_CLUSTER=true`: comma-separated addresses. */
  readonly nodes: string;
  stop(): Promise<void>;
}

/** Starts and forms the cluster; about 3 s. It persists nothing. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'cluster-'));
  const servers = await Promise.all(
    Array.from({ length: MASTERS }, (_, index) =>
      startRedis({
        dataDir: join(folder, String(index)),
        binary: inject('redisBinary'),
        persist: false,
        cluster: true,
      }),
    ),
  );
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await form(servers);
  } catch (error) {
    await stop();
    throw error;
  }
  return { nodes: servers.map((server) => server.url).join(','), stop };
}

async function form(servers: EmbeddedRedis[]): Promise<void> {
  const clients = servers.map((server) => new Redis(server.url));
  const [first] = clients;
  try {
    await Promise.all(clients.map((client, index) => assignSlots(client, index)));
    for (const { port } of servers.slice(1))
      await first?.call('CLUSTER', 'MEET', '127.0.0.1', port);
    for (const client of clients) {
      await eventually(async () => {
        const info = String(await client.call('CLUSTER', 'INFO'));
        if (!info.includes('cluster_state:ok') || !info.includes(`cluster_known_nodes:${MASTERS}`))
          throw new Error(`The Redis Cluster was not formed in time:\n${info}`);
      });
    }
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function assignSlots(client: Redis, index: number): Promise<void> {
  const bound = (of: number) => Math.floor((of * SLOTS) / MASTERS);
  await client.call('CLUSTER', 'ADDSLOTSRANGE', bound(index), bound(index + 1) - 1);
  // Two nodes of one epoch would have to settle first which of them is older.
  await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
}
