// The environment of a chaos run: its own stores behind proxies, replicas and workers as processes with clocks
// that can be shifted, and a load balancer. It reports everything that fails without an injected fault.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { isOutage } from '../../src/platform/outages/outage.ts';
import { createServices } from '../../src/services.ts';
import { findRedis } from '../../src/tools/dev/find-redis.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { startBalancer } from '../support/balancer.ts';
import { startOwnPostgres } from '../support/own-servers.ts';
import { processEnv } from '../support/replica-process.ts';
import { createRestartableProcess } from '../support/restartable-process.ts';
import { COMMON_ENV, SHORT_OUTAGES } from '../support/service.ts';
import { openSmallDisk } from '../support/small-disk.ts';
import { withPostgres } from '../support/sql.ts';
import { startProxyOf } from '../support/tcp-proxy.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';
import { startRedisSite } from './redis-site.ts';
import type { Circumstances } from './schedule.ts';

const POOL_MAX = 5;
/** The size of PostgreSQL's own disk, which is in memory. A fault can fill its free space. */
const DISK_MB = 320;

/** A process of the service, with the settings that a fault may change for its next start. */
export type Node = Awaited<ReturnType<typeof createNode>>;

export type Stage = Awaited<ReturnType<typeof openStage>>;

interface StageOptions {
  circumstances: Circumstances;
  roundMs: number;
  previous?: string;
  /** Is called when a process has ended by itself, or has logged something that only a defect causes. */
  onTrouble(text: string): void;
  /** Is called when a process has mostly waited for a processor for this long until now. */
  onStarved(stretchMs: number): void;
  /** Is called after each failover of Redis, planned or not. */
  onFailover(): void;
}

export async function openStage(options: StageOptions) {
  const { circumstances, previous, onFailover } = options;
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'quiz-chaos-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // PostgreSQL refuses to run as root, so that it runs as another user then.
  chmodSync(folder, 0o755);
  const disk = circumstances.hasDisk ? openSmallDisk(folder, DISK_MB) : undefined;
  opened.defer(() => disk?.dispose());
  const server = opened.adopt(await startOwnPostgres(disk?.folder ?? folder), (own) => own.dispose());
  if (disk) await keepLogSmall(server.databaseUrl);
  const toPostgres = opened.adopt(await startProxyOf(server.databaseUrl), (own) => own.proxy.stop());
  const binary = await findRedis();
  const { topology } = circumstances;
  const redis = opened.adopt(await startRedisSite(topology, { folder, binary, onFailover }), (own) => own.stop());
  await loadTestVocabulary(server.databaseUrl);

  const ports: number[] = [];
  while (ports.length < circumstances.replicas) ports.push(await freePort());
  const balancer = opened.adopt(await startBalancer(ports), (own) => own.stop());
  const env = processEnv({ databaseUrl: toPostgres.url, redisUrl: redis.url }, balancer.url, {
    ...SHORT_OUTAGES,
    LOG_LEVEL: 'error',
    DATA_DIR: folder,
    DATABASE_POOL_MAX: String(POOL_MAX),
    REDIS_CLUSTER: String(topology === 'cluster'),
    ROUND_DURATION_MS: String(options.roundMs),
  });
  // The run's own commands wait as long as a busy machine takes.
  const { STORE_TIMEOUT_MS } = COMMON_ENV;
  const direct = { DATABASE_URL: server.databaseUrl, REDIS_URL: redis.directUrl, STORE_TIMEOUT_MS };
  const config = readConfig({ ...env, ...direct, PORT: '0' });
  /** The run's own connections to the stores, which bypass the proxies. */
  const services = opened.adopt(createServices(config, createLogger('silent', 'chaos')), (s) => s.stop());

  const node = async (name: string, port?: number) =>
    opened.adopt(await createNode(name, env, options, port), (member) => member.kill());
  const replicas = await Promise.all(ports.map((port, index) => node(`replica ${index}`, port)));
  const workers = await Promise.all(
    Array.from({ length: circumstances.workers }, (_, index) => node(`worker ${index}`)),
  );
  await Promise.all([...replicas, ...workers].map((member) => member.start()));
  const postgres = { ...server, proxy: toPostgres.proxy, disk };
  /** The number of connections to PostgreSQL that all processes together may have. */
  const backendsMax = POOL_MAX * (replicas.length + workers.length);
  const closing = opened.move();
  const stop = () => closing.disposeAsync();
  return { url: balancer.url, services, replicas, workers, redis, postgres, previous, backendsMax, stop };
}

/** PostgreSQL stops when its write-ahead log has no room. The default limit of a gigabyte is too much here. */
async function keepLogSmall(databaseUrl: string): Promise<void> {
  await withPostgres(databaseUrl, async (client) => {
    for (const setting of ['min_wal_size', 'max_wal_size']) await client.query(`ALTER SYSTEM SET ${setting} = '64MB'`);
    await client.query('SELECT pg_reload_conf()');
  });
}

const PRELOAD = new URL('process-preload.ts', import.meta.url).href;

/** @param port the port of a replica; a worker has none */
async function createNode(
  name: string,
  env: NodeJS.ProcessEnv,
  { previous, onTrouble, onStarved }: StageOptions,
  port?: number,
) {
  const metricsPort = await freePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const live = port ? `http://127.0.0.1:${port}/api/health/live` : `${metricsUrl}/live`;
  const member = createRestartableProcess({
    entry: port ? 'src/server.ts' : 'worker/main.ts',
    root: () => node.root,
    env: () => ({
      ...env,
      METRICS_PORT: String(metricsPort),
      ...(port && { PORT: String(port) }),
      NODE_OPTIONS: `--import=${PRELOAD}`,
      CHAOS_CLOCK_SKEW_MS: String(node.skewMs),
    }),
    async isReady() {
      const { ok } = await fetch(live, { signal: AbortSignal.timeout(2000) });
      if (!ok) throw new Error(`${name} is not up.`);
    },
    onLog(line) {
      const defect = defectIn(line);
      // Log lines of the other release do not count.
      if (defect && node.root === undefined) onTrouble(`${name} says ${defect}`);
    },
    onMessage: (message) => onStarved((message as { starvedMs: number }).starvedMs),
    onCrash: (code, signal) => onTrouble(`${name} has ended by itself: ${code ?? signal}`),
  });
  const node = {
    ...member,
    name,
    metricsUrl,
    skewMs: 0,
    /** The folder of the code that it runs. */
    root: previous,
  };
  return node;
}

/** Errors that a client receives and reports itself, or that are the normal signs of an outage. */
const EXPECTED = ['message failed', 'request failed', 'a store does not answer', 'a store refuses writes'];

/** @returns the message of an error that is no outage, if a log line has one */
function defectIn(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line);
    // A log line has PostgreSQL's error only in Prisma's words.
    const { code = err?.code } = /Code: `(?<code>\w+)`/.exec(err?.message)?.groups ?? {};
    const isExpected = EXPECTED.includes(msg) || isOutage({ ...err, code });
    // A process never ends by itself without a defect.
    if (level < 50 || (level < 60 && isExpected)) return undefined;
    return [msg, err?.stack].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}
