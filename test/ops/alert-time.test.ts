// Measures the time from the beginning of a store failure to its alert, through the same steps as in
// production: probe, metric, scrape, rule. [contract 18]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices, type Services } from '../../src/services.ts';
import { findRedis } from '../../src/tools/dev/find-redis.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { ruleGroups } from '../support/manifests.ts';
import { type OwnPostgres, type OwnRedis, startOwnPostgres, startOwnRedis } from '../support/own-servers.ts';
import { createRestartableProcess, type RestartableProcess } from '../support/restartable-process.ts';
import { openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { startProxyOf } from '../support/tcp-proxy.ts';
import { createSignedInUser } from '../support/users.ts';

/** The runbook's limit of 30 s, and 10 s for a busy machine. */
const ALERT_MS = 30_000 + 10_000;
/** The delay of the proxy in each direction, ms. */
const SLOW_MS = 200;

let folder: string;
let disk: SmallDisk;
let postgres: OwnPostgres;
let redis: OwnRedis;
let client: Redis;
let database: pg.Client;
let proxies: Record<'redis' | 'postgres', Awaited<ReturnType<typeof startProxyOf>>>;
let services: Services;
/** Requests a lobby three times a second. */
let asking: NodeJS.Timeout;
let processes: RestartableProcess[];
let apiPort: number;
let prometheus: ChildProcess;
let prometheusUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiz-alert-time-'));
  // When the test runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  disk = openSmallDisk(folder, 160);
  postgres = await startOwnPostgres(disk.folder);
  redis = await startOwnRedis({ folder, binary: await findRedis() });
  client = new Redis(redis.url);
  database = new pg.Client({ connectionString: postgres.databaseUrl });
  await database.connect();
  proxies = { redis: await startProxyOf(redis.url), postgres: await startProxyOf(postgres.databaseUrl) };
  apiPort = await freePort();
  const components = { api: await freePort(), worker: await freePort() };
  processes = Object.entries(components).map(([component, port]) => startable(component, port));
  await Promise.all(processes.map((one) => one.start()));
  await startPrometheus(components);
  const direct = { REDIS_URL: redis.url, DATABASE_URL: postgres.databaseUrl, STORE_TIMEOUT_MS: '10000' };
  const config = readConfig({ ...env(), ...direct });
  services = createServices(config, createLogger('silent', 'test'));
  const { cookie } = await createSignedInUser(services);
  const visitor = createHttpClient(`http://127.0.0.1:${apiPort}`, { cookie });
  const { status, body } = await visitor.post('/api/v1/lobbies');
  expect(status).toBe(201);
  asking = setInterval(() => void visitor.get(`/api/v1/lobbies/${body.code}`).catch(() => {}), 300);
});
afterAll(async () => {
  clearInterval(asking);
  const ended = prometheus && once(prometheus, 'exit');
  prometheus?.kill('SIGKILL');
  await ended;
  for (const one of processes ?? []) await one.kill();
  await services?.stop();
  await database?.end();
  client?.disconnect();
  await Promise.all(Object.values(proxies ?? {}).map(({ proxy }) => proxy.stop()));
  await redis?.dispose();
  await postgres?.dispose();
  disk?.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function env() {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    LOG_LEVEL: 'error',
    DATA_DIR: folder,
    DATABASE_URL: proxies.postgres.url,
    REDIS_URL: proxies.redis.url,
    BETTER_AUTH_SECRET: 'a secret of forty characters for the test',
    RATE_LIMIT_LOBBY_MAX: '1000000',
    CORS_ORIGIN: `http://127.0.0.1:${apiPort}`,
  };
}

function startable(component: string, metricsPort: number): RestartableProcess {
  return createRestartableProcess({
    entry: component === 'api' ? 'src/server.ts' : 'worker/main.ts',
    env: () => ({ ...env(), METRICS_PORT: String(metricsPort) }),
    async isReady() {
      const { ok } = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      if (!ok) throw new Error('not up');
    },
  });
}

/** Prometheus scrapes and evaluates at the intervals of the pod monitor and the rules. */
async function startPrometheus(components: Record<string, number>): Promise<void> {
  const port = await freePort();
  prometheusUrl = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: ruleGroups() }));
  const static_configs = Object.entries(components).map(([component, target]) => ({
    targets: [`127.0.0.1:${target}`],
    labels: { component, pod: component },
  }));
  const scraped = { job_name: 'quiz', scrape_interval: '10s', scrape_timeout: '5s', static_configs };
  const config = { rule_files: ['rules.yaml'], scrape_configs: [scraped] };
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(config));
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  prometheus = spawn('prometheus', args, { stdio: 'ignore' });
  await eventually(async () => {
    const { result } = await ask(`query?query=${encodeURIComponent('count(up{job="quiz"} == 1)')}`);
    expect(result[0]?.value[1]).toBe('2');
  });
}

/** @returns the data of Prometheus' reply */
const ask = async (path: string) => (await createHttpClient(prometheusUrl).get(`/api/v1/${path}`)).body.data;

async function firing(): Promise<string[]> {
  const alerts: { state: string; labels: { alertname: string } }[] = (await ask('alerts')).alerts;
  return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
}

const FAILURES = [
  {
    what: 'a Redis that answers but refuses writes',
    alert: 'QuizRedisReadOnly',
    begin: () => client.config('SET', 'min-replicas-to-write', '1'),
    end: () => client.config('SET', 'min-replicas-to-write', '0'),
  },
  {
    what: 'a PostgreSQL whose disk is full',
    alert: 'QuizPostgresReadOnly',
    begin: () => disk.fill(),
    end: () => disk.free(),
  },
  {
    what: 'a locked table',
    alert: 'QuizPostgresLocked',
    // A forgotten transaction does the same.
    begin: () => database.query('BEGIN; LOCK TABLE lobby'),
    end: () => database.query('ROLLBACK'),
  },
  {
    what: 'a Redis that answers slowly',
    alert: 'QuizRedisSlow',
    begin: () => proxies.redis.proxy.slow(SLOW_MS),
    end: () => proxies.redis.proxy.slow(0),
  },
];

test.each(FAILURES)('$alert fires within 30 s of $what', async ({ alert, begin, end }) => {
  const begunMs = performance.now();
  await begin();
  try {
    await eventually(async () => expect(await firing()).toContain(alert), { timeoutMs: 80_000, intervalMs: 250 });
    const tookMs = performance.now() - begunMs;
    console.info(`${alert} fired after ${(tookMs / 1000).toFixed(1)} s`);
    expect(tookMs).toBeLessThan(ALERT_MS);
    // No alert claims that a store is down, since each of them answers.
    expect((await firing()).filter((name) => name.endsWith('Down'))).toEqual([]);
  } finally {
    await end();
  }
});

test('each alert ends after its failure', async () => {
  const stillFiring = async () => (await firing()).filter((name) => FAILURES.some(({ alert }) => alert === name));
  await eventually(async () => expect(await stillFiring()).toEqual([]), { timeoutMs: 80_000, intervalMs: 250 });
});
