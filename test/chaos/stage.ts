// Where a chaos run plays: stores of its own behind proxies, replicas and workers as processes with
// clocks of their own, and a balancer. Everything that goes wrong by itself here is told.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { findRedis } from '../../src/local-stack/find-redis.ts';
import { freePort } from '../../src/local-stack/ports.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { isOutage } from '../../src/platform/outage.ts';
import { createServices, type Services } from '../../src/services.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { createMember, type Member } from '../support/member.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';
import { type RedisSite, startRedisSite } from './redis-site.ts';
import type { Circumstances } from './schedule.ts';

const POOL_MAX = 5;

/** A process of the service, with what a fault may change before its next start. */
export interface Node extends Member {
  name: string;
  metricsUrl: string;
  skewMs: number;
  /** Where the code lies that it runs. */
  root: string | undefined;
  isUp: boolean;
}

export interface Stage {
  circumstances: Circumstances;
  url: string;
  /** This run's own hands on the service's stores, past the proxies. */
  services: Services;
  replicas: Node[];
  workers: Node[];
  redis: RedisSite;
  postgres: OwnPostgres & { proxy: TcpProxy };
  /** The other release's code, if there is any. */
  previous: string | undefined;
  /** How many connections to PostgreSQL all processes together may have. */
  backendsMax: number;
  stop(): Promise<void>;
}

export interface StageOptions {
  circumstances: Circumstances;
  roundMs: number;
  previous?: string;
  /** A process has ended by itself, or said something that only a defect says. */
  onTrouble(text: string): void;
  /** The machine has mostly kept a process waiting for so long until now. */
  onStarved(stretchMs: number): void;
  /** Redis has failed over, planned or not. */
  onFailover(): void;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-chaos-'));
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o755);
  const closers: (() => Promise<unknown>)[] = [];
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
    remove();
  };
  try {
    return { ...(await build(options, folder, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  options: StageOptions,
  folder: string,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Stage, 'stop'>> {
  const { circumstances, previous, onFailover } = options;
  const keep = <T>(thing: T, close: (thing: T) => Promise<unknown>): T => {
    closers.push(() => close(thing));
    return thing;
  };
  const server = keep(await startOwnPostgres(folder), (own) => own.dispose());
  const proxy = keep(await proxyOf(server.databaseUrl), (own) => own.stop());
  const binary = await findRedis();
  const { topology } = circumstances;
  const redis = keep(await startRedisSite(topology, { folder, binary, onFailover }), (own) =>
    own.stop(),
  );
  await loadTestVocabulary(server.databaseUrl);

  const ports: number[] = [];
  while (ports.length < circumstances.replicas) ports.push(await freePort());
  const balancer: Balancer = keep(await startBalancer(ports), (own) => own.stop());
  const env = {
    ...{ NODE_ENV: 'test', HOST: '127.0.0.1', LOG_LEVEL: 'error', DATA_DIR: folder },
    ...{ DATABASE_URL: behind(server.databaseUrl, proxy), DATABASE_POOL_MAX: String(POOL_MAX) },
    ...{ REDIS_URL: redis.url, REDIS_CLUSTER: String(topology === 'cluster') },
    BETTER_AUTH_URL: balancer.url,
    BETTER_AUTH_SECRET: 'a secret of forty characters for the fleet',
    ...{ RATE_LIMIT_LOBBY_MAX: '1000000', RATE_LIMIT_GAME_MAX: '1000000' },
    BUSY_AFTER_MS: '1000000',
    ROUND_DURATION_MS: String(options.roundMs),
  };
  const own = { DATABASE_URL: server.databaseUrl, REDIS_URL: redis.directUrl, PORT: '0' };
  const config = readConfig({ ...env, ...own });
  const services = keep(createServices(config, createLogger('silent', 'chaos')), (s) => s.stop());

  const node = async (name: string, port?: number) =>
    keep(await createNode(name, env, options, port), (member) => member.kill());
  const replicas = await Promise.all(ports.map((port, index) => node(`replica ${index}`, port)));
  const workers = await Promise.all(
    Array.from({ length: circumstances.workers }, (_, index) => node(`worker ${index}`)),
  );
  await Promise.all([...replicas, ...workers].map((member) => member.start()));
  const postgres = { ...server, proxy };
  const backendsMax = POOL_MAX * (replicas.length + workers.length);
  const { url } = balancer;
  return {
    circumstances,
    url,
    services,
    replicas,
    workers,
    redis,
    postgres,
    previous,
    backendsMax,
  };
}

async function proxyOf(url: string): Promise<TcpProxy> {
  return startTcpProxy({ host: '127.0.0.1', port: Number(new URL(url).port) });
}

function behind(url: string, proxy: TcpProxy): string {
  const through = new URL(url);
  through.port = String(proxy.port);
  return through.href;
}

const PRELOAD = new URL('process-preload.ts', import.meta.url).href;

/** @param port of a replica; a worker has none */
async function createNode(
  name: string,
  env: NodeJS.ProcessEnv,
  { previous, onTrouble, onStarved }: StageOptions,
  port?: number,
): Promise<Node> {
  const metricsPort = await freePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const live = port ? `http://127.0.0.1:${port}/api/health/live` : `${metricsUrl}/live`;
  const member = createMember({
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
      // What the other release says is not for this one to mend.
      if (defect && node.root === undefined) onTrouble(`${name} says ${defect}`);
    },
    onMessage: (message) => onStarved((message as { starvedMs: number }).starvedMs),
    onCrash: (code, signal) => onTrouble(`${name} has ended by itself: ${code ?? signal}`),
  });
  const node: Node = {
    ...member,
    ...{ name, metricsUrl, skewMs: 0, root: previous, isUp: false },
    async start() {
      await member.start();
      node.isUp = true;
    },
    async stop() {
      node.isUp = false;
      return member.stop();
    },
    async kill() {
      node.isUp = false;
      await member.kill();
    },
  };
  return node;
}

/** Of these the client has been told, and tells; or they are how an outage is told. */
const EXPECTED = [
  'message failed',
  'request failed',
  'session check failed',
  'a store does not answer',
  'a store refuses writes',
];

/** @returns the words of an error that is no outage, if a line tells of one */
function defectIn(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line);
    // Prisma's own words are all that a log line has of what PostgreSQL said.
    const { code = err?.code } = /Code: `(?<code>\w+)`/.exec(err?.message)?.groups ?? {};
    const isExpected = EXPECTED.includes(msg) || isOutage({ ...err, code });
    // Nothing is a reason to end.
    if (level < 50 || (level < 60 && isExpected)) return undefined;
    return [msg, err?.stack].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}
