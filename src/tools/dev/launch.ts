// Starts the local stack in order: the stores, migrations, the vocabulary and the page, then the replicas and the
// worker. It stops everything in reverse order. A store that the environment names is used instead of an embedded one.
import { join, relative } from 'node:path';
import { localSecret } from '../../config.ts';
import { applyMigrations } from '../../platform/postgres/migrations.ts';
import { removeStack, writeStack } from '../command.ts';
import { API_PROGRAM, PROJECT_ROOT, spawnChild, WORKER_PROGRAM } from './child.ts';
import { type ManagedProcess, type Supervised, supervise, until } from './managed-process.ts';
import { choosePorts, type StackPorts } from './ports.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { type EmbeddedRedis, startRedis } from './redis.ts';
import { networkAddresses, type Settings, sharedEnv, urlFor } from './settings.ts';

const DATABASE = 'vocabulary_quiz';
const [POSTGRES, REDIS, WORKER] = ['PostgreSQL', 'Redis', 'worker'];

export type Launch = ReturnType<typeof launch>;

/** The processes that are started. */
interface Stack {
  settings: Settings;
  /** Aborts when the stack is told to stop. */
  signal: AbortSignal;
  stores: Promise<Supervised>[];
  /** The replicas and the worker. */
  programs: Promise<Supervised>[];
  /** The program that runs to its end as a part of the start. */
  step?: ManagedProcess | undefined;
  /** The process ids of the stores and programs that run at the moment, by their names. */
  pids: Map<string, number>;
  /** Writes the stack file, once all processes are ready. */
  publish(): void;
}

/** Starts the stack; the caller holds the lock of its `DATA_DIR`. */
export function launch(settings: Settings) {
  const abort = new AbortController();
  const { signal } = abort;
  const stack: Stack = { settings, signal, stores: [], programs: [], pids: new Map(), publish: () => undefined };
  const started = start(stack);
  return {
    /** Resolves when every process answers; rejects when one can't be started. */
    started,
    /** Stops whatever was started, in reverse order, also while the stack is starting. */
    async stop(): Promise<void> {
      abort.abort(new Error('stopped'));
      removeStack(settings.dataDir);
      // The running step finishes first, so that every process that it starts is known.
      await Promise.all([stack.step?.stop(), started.catch(() => undefined)]);
      await stopAll(stack.programs);
      await stopAll(stack.stores);
    },
  };
}

async function stopAll(group: Promise<Supervised>[]): Promise<void> {
  const started = await Promise.allSettled(group);
  // One that could not be started has nothing to stop.
  await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()));
}

async function start(stack: Stack): Promise<void> {
  const { settings, signal } = stack;
  const { dataDir, host } = settings;
  removeStack(dataDir);
  const ports = await choosePorts(settings, console.log);
  const secret = settings.env.BETTER_AUTH_SECRET ?? localSecret(dataDir);
  const [redisUrl, databaseUrl] = await Promise.all([startLocalRedis(stack), startLocalPostgres(stack)]);
  const migrated = beginStep('Migrations', signal);
  const { applied, total } = await applyMigrations(databaseUrl);
  migrated(`${applied.length} applied, ${total} in all`);

  const apiUrls = ports.api.map((port) => urlFor(host, port));
  const networkUrls = networkAddresses(host).flatMap((address) => ports.api.map((port) => `http://${address}:${port}`));
  const env = sharedEnv(settings, { databaseUrl, redisUrl, secret, apiUrls, networkUrls });
  await prepareContent(stack, env);
  await startPrograms(stack, env, ports, apiUrls);
  stack.publish = () => {
    if (!signal.aborted) writeStack(dataDir, { databaseUrl, redisUrl, ...running(stack, apiUrls) });
  };
  stack.publish();
  const [metricsPort] = ports.metrics;
  printWelcome({
    Open: apiUrls[0],
    // Other devices in the network reach this one.
    Phone: networkUrls[0],
    More: apiUrls.slice(1).join('  '),
    Docs: `${apiUrls[0]}/docs`,
    Meters: metricsPort && `http://localhost:${metricsPort}/metrics`,
    Watch: env.CONSOLE_TOKEN && `http://localhost:${ports.metrics.at(-1)}/console/`,
    Data: dataDir.startsWith(PROJECT_ROOT) ? relative(PROJECT_ROOT, dataDir) : dataDir,
    Stop: 'Ctrl-C',
  });
}

/** @param entries by their labels; those that are missing are left out */
function printWelcome(entries: Record<string, string | number | undefined>): void {
  const present = Object.entries(entries).filter(([, value]) => value);
  console.log(['', ...present.map(([label, value]) => `  ${label.padEnd(6)} ${value}`), ''].join('\n'));
}

/** @returns the processes that run at the moment, for other commands */
function running({ pids }: Stack, apiUrls: string[]) {
  const entryOf = (name: string) => {
    const pid = pids.get(name);
    return pid === undefined ? [] : [{ pid }];
  };
  return {
    apis: apiUrls.flatMap((url, index) => entryOf(replicaName(index)).map((entry) => ({ url, ...entry }))),
    workers: entryOf(WORKER),
    postgres: entryOf(POSTGRES)[0],
    redis: entryOf(REDIS)[0],
  };
}

const replicaName = (index: number) => `api-${index + 1}`;

/** Begins a step of the start. @returns a function that prints the step's line with its duration when it is done */
function beginStep(name: string, signal: AbortSignal): (detail: string) => void {
  signal.throwIfAborted();
  const startedAt = performance.now();
  return (detail) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`  ✓ ${name.padEnd(12)} ${detail.padEnd(40)} ${seconds} s`);
  };
}

/** Starts a process, which is restarted until the stack stops. @returns the process of the first start */
async function keep<T extends ManagedProcess>(
  stack: Stack,
  group: Promise<Supervised>[],
  name: string,
  start: (first?: T) => Promise<T>,
): Promise<T> {
  const starting = supervise(name, start, (pid) => {
    if (pid === undefined) stack.pids.delete(name);
    else stack.pids.set(name, pid);
    stack.publish();
  });
  group.push(starting);
  return (await starting).first;
}

/** @returns the address of the database that the environment names, or else of an embedded one */
async function startLocalPostgres(stack: Stack): Promise<string> {
  const { env, dataDir } = stack.settings;
  if (env.DATABASE_URL) return env.DATABASE_URL;
  const done = beginStep(POSTGRES, stack.signal);
  const options = { dataDir: join(dataDir, 'postgres'), durable: true };
  const startOn = (first?: EmbeddedPostgres) => startPostgres({ ...options, port: first?.port });
  const { port, urlOf } = await keep(stack, stack.stores, POSTGRES, startOn);
  done(`127.0.0.1:${port}`);
  return urlOf(DATABASE);
}

async function startLocalRedis(stack: Stack): Promise<string> {
  const { env, dataDir } = stack.settings;
  if (env.REDIS_URL) return env.REDIS_URL;
  const done = beginStep(REDIS, stack.signal);
  const options = { dataDir: join(dataDir, 'redis'), persist: true };
  const startOn = (first?: EmbeddedRedis) => startRedis({ ...options, port: first?.port });
  const { port, url, version } = await keep(stack, stack.stores, REDIS, startOn);
  done(`127.0.0.1:${port}, version ${version}`);
  return url;
}

/** Loads the built-in vocabulary, and builds the page and the documents. */
async function prepareContent(stack: Stack, env: NodeJS.ProcessEnv): Promise<void> {
  const loaded = beginStep('Vocabulary', stack.signal);
  await runStep(stack, 'vocab', ['src/tools/import/cli.ts', 'load'], env);
  loaded('built-in lists are in');
  if (env.WEB_PAGE === 'false') return;
  const built = beginStep('Page', stack.signal);
  await runStep(stack, 'page', ['src/web/build.ts', '--if-stale'], env);
  await runStep(stack, 'docs', ['src/docs/build.ts', '--if-stale'], env);
  built('built from src/web');
}

/** Runs a program to its end as a part of the start. */
async function runStep(stack: Stack, name: string, program: string[], env: NodeJS.ProcessEnv): Promise<void> {
  stack.signal.throwIfAborted();
  stack.step = await spawnChild(name, program, env);
  if (stack.signal.aborted) void stack.step.stop();
  const ending = await stack.step.exited;
  stack.step = undefined;
  stack.signal.throwIfAborted();
  if (ending !== 'exit 0') throw new Error(`${name} failed (${ending}), see its lines above.`);
}

/**
 * Starts the replicas and the worker, and waits until the replicas are healthy.
 * @throws Error when one of them ends before, since it would do so again after a restart
 */
async function startPrograms(stack: Stack, env: NodeJS.ProcessEnv, ports: StackPorts, apiUrls: string[]) {
  const answering = beginStep('Service', stack.signal);
  const programs = ports.metrics.map((metricsPort, index) => {
    const port = ports.api[index];
    const isWorker = port === undefined;
    const name = isWorker ? WORKER : replicaName(index);
    const args = isWorker ? WORKER_PROGRAM : API_PROGRAM;
    // The worker listens for metrics alone; port 0 keeps it from taking one of the API's by mistake.
    return { name, args, env: { ...env, PORT: `${port ?? 0}`, METRICS_PORT: `${metricsPort}` } };
  });
  const starting = programs.map((one) =>
    keep(stack, stack.programs, one.name, () => spawnChild(one.name, one.args, one.env)),
  );
  const crashes = (await Promise.all(starting)).map(async ({ exited }, index) => {
    throw new Error(`${programs[index]?.name} did not start (${await exited}), see its lines above.`);
  });
  await Promise.race([Promise.all(apiUrls.map((url) => waitUntilHealthy(url, stack.signal))), ...crashes]);
  answering(`${apiUrls.length} API ${apiUrls.length > 1 ? 'replicas' : 'replica'}, 1 worker`);
}

const INTERVAL_MS = 50;
const REQUEST_TIMEOUT_MS = 2_000;
const TIMEOUT_MS = 60_000;

/**
 * @param baseUrl the address of the replica
 * @throws Error with the last answer, when the replica is not healthy within a minute
 */
async function waitUntilHealthy(baseUrl: string, signal: AbortSignal): Promise<void> {
  const url = `${baseUrl}/api/health`;
  let answer = '';
  const isHealthy = async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      await response.body?.cancel();
      answer = String(response.status);
    } catch (error) {
      answer = (error as Error).message;
    }
    signal.throwIfAborted();
    return answer === '200';
  };
  if (!(await until(isHealthy, TIMEOUT_MS, INTERVAL_MS)))
    throw new Error(`GET ${url} does not answer 200 but: ${answer}`);
}
