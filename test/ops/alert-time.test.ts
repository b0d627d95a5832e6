// From the moment at which a store begins to refuse to the alert that calls somebody, with everything in
// between as it is in production: probe, metric, scrape, rule. [contract 18]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { findRedis } from '../../src/local-stack/find-redis.ts';
import { freePort } from '../../src/local-stack/ports.ts';
import { eventually } from '../support/eventually.ts';
import { createMember, type Member } from '../support/member.ts';
import { ruleGroups } from '../support/monitoring.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';

/** What the runbook promises, and what a busy machine adds. */
const ALERT_MS = 30_000 + 10_000;
const SECRET = 'a secret of forty characters for the test';

let folder: string;
let postgres: OwnPostgres;
let redis: OwnRedis;
let client: Redis;
let members: Member[];
let prometheus: ChildProcess;
let prometheusUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiz-alert-time-'));
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o755);
  postgres = await startOwnPostgres(folder);
  redis = await startOwnRedis({ folder, binary: await findRedis() });
  client = new Redis(redis.url);
  const components = { api: await freePort(), worker: await freePort() };
  members = Object.entries(components).map(([component, port]) => startable(component, port));
  await Promise.all(members.map((member) => member.start()));
  await startPrometheus(components);
});
afterAll(async () => {
  const ended = prometheus && once(prometheus, 'exit');
  prometheus?.kill('SIGKILL');
  await ended;
  for (const member of members ?? []) await member.kill();
  client?.disconnect();
  await redis?.dispose();
  await postgres?.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function startable(component: string, metricsPort: number): Member {
  return createMember({
    entry: component === 'api' ? 'src/server.ts' : 'worker/main.ts',
    env: () => ({
      ...{ NODE_ENV: 'test', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', DATA_DIR: folder },
      ...{ DATABASE_URL: postgres.databaseUrl, REDIS_URL: redis.url },
      ...{ BETTER_AUTH_SECRET: SECRET, METRICS_PORT: String(metricsPort) },
    }),
    async isReady() {
      const { ok } = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      if (!ok) throw new Error('not up');
    },
  });
}

/** Reads and judges as often as the pod monitor and the rules say. */
async function startPrometheus(components: Record<string, number>): Promise<void> {
  const port = await freePort();
  prometheusUrl = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: ruleGroups() }));
  const static_configs = Object.entries(components).map(([component, target]) => ({
    targets: [`127.0.0.1:${target}`],
    labels: { component, pod: component },
  }));
  const scraped = {
    job_name: 'quiz',
    scrape_interval: '10s',
    scrape_timeout: '5s',
    static_configs,
  };
  const config = { rule_files: ['rules.yaml'], scrape_configs: [scraped] };
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(config));
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  prometheus = spawn('prometheus', args, { stdio: 'ignore' });
  await eventually(async () => {
    const { data } = await ask(`query?query=${encodeURIComponent('count(up{job="quiz"} == 1)')}`);
    expect(data.result[0]?.value[1]).toBe('2');
  });
}

/** As much of Prometheus' answers as is looked at. */
interface Answer {
  data: {
    result: { value: [number, string] }[];
    alerts: { state: string; labels: { alertname: string } }[];
  };
}

async function ask(path: string): Promise<Answer> {
  const response = await fetch(`${prometheusUrl}/api/v1/${path}`);
  return (await response.json()) as Answer;
}

async function firing(): Promise<string[]> {
  const { data } = await ask('alerts');
  return data.alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels }) => labels.alertname);
}

test('somebody is called within 30 s of a Redis that answers and refuses writes, and knows which it is', async () => {
  expect(await firing()).not.toContain('QuizRedisReadOnly');
  const refusedMs = performance.now();
  await client.config('SET', 'min-replicas-to-write', '1');
  await eventually(async () => expect(await firing()).toContain('QuizRedisReadOnly'), {
    timeoutMs: 60_000,
    intervalMs: 250,
  });
  const tookMs = performance.now() - refusedMs;
  console.info(`QuizRedisReadOnly fired after ${(tookMs / 1000).toFixed(1)} s`);
  expect(tookMs).toBeLessThan(ALERT_MS);
  expect(await firing()).not.toContain('QuizRedisDown');
});
