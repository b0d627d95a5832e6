// Starts the local stack in order: the stores, migrations, the vocabulary and the page, then the replicas and the
// worker. It stops everything in reverse order. A store that the environment names is used instead of an embedded one.
import { join, relative } from 'node:path';
import { localSecret } from '../../config/local-secret.ts';
import { applyMigrations } from '../../platform/postgres/migrations.ts';
import { removeStack, writeStack } from '../command.ts';
import { API_PROGRAM, spawnChild, WORKER_PROGRAM } from './child.ts';
import { type ManagedProcess, type Supervised, supervise, until } from './managed-process.ts';
import { choosePorts } from './ports.ts';
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
  // One that could not be started has nothing to stop.
  await Promise.all(
    group.map((starting) =>
      starting.then(
        ({ stop }) => stop(),
        () => undefined,
      ),
    ),
  );
}

async function start(stack: Stack): Promise<void> {
  const { settings, signal } = stack;
  const { dataDir, host, replicas } = settings;
  removeStack(dataDir);
  const { api, metrics } = await choosePorts(settings, console.log);
  const secret = settings.env.BETTER_AUTH_SECRET ?? localSecret(dataDir);
  const [redisUrl, databaseUrl] = await Promise.all([startLocalRedis(stack), startLocalPostgres(stack)]);
  const migrated = beginStep('Migrations', signal);
  const { applied, total } = await applyMigrations(databaseUrl);
  migrated(`${applied.length} applied, ${total} in all`);

  const apiUrls = api.map((port) => urlFor(host, port));
  const networkUrls = networkAddresses(host).flatMap((address) => api.map((port) => `http://${address}:${port}`));
  const env = sharedEnv(settings, { databaseUrl, redisUrl, secret, apiUrls, networkUrls });
  await prepareContent(stack, env);
  const answering = beginStep('Service', signal);
  await startPrograms(stack, apiUrls, (index) => ({
    ...env,
    // The worker listens for metrics alone; port 0 keeps it from taking one of the API's by mistake.
    PORT: String(api[index] ?? 0),
    METRICS_PORT: String(metrics[index]),
  }));
  answering(`${replicas} API ${replicas > 1 ? 'replicas' : 'replica'}, 1 worker`);
  stack.publish = () => {
    if (!signal.aborted) writeStack(dataDir, { databaseUrl, redisUrl, ...running(stack, apiUrls) });
  };
  stack.publish();
  const consolePort = env.CONSOLE_TOKEN ? metrics.at(-1) : undefined;
  console.log(welcome(dataDir, apiUrls, networkUrls[0], metrics[0], consolePort));
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
 * @param envOf is given a replica's index, or that after the last replica for the worker
 * @throws Error when one of them ends before, since it would do so again after a restart
 */
async function startPrograms(
  stack: Stack,
  apiUrls: string[],
  envOf: (index: number) => NodeJS.ProcessEnv,
): Promise<void> {
  const programs = apiUrls.map((_, index) => ({ name: replicaName(index), args: API_PROGRAM }));
  programs.push({ name: WORKER, args: WORKER_PROGRAM });
  const starting = programs.map(({ name, args }, index) =>
    keep(stack, stack.programs, name, () => spawnChild(name, args, envOf(index))),
  );
  const started = await Promise.all(starting);
  const crashes = started.map(async ({ exited }, index) => {
    throw new Error(`${programs[index]?.name} did not start (${await exited}), see its lines above.`);
  });
  await Promise.race([Promise.all(apiUrls.map((url) => waitUntilHealthy(url, stack.signal))), ...crashes]);
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

/**
 * @param networkUrl the address of the first replica for other devices in the network, if they can reach it
 * @param metricsPort that of the first replica; 0 when metrics are off
 * @param consolePort that of the operator's console, if it is on
 * @returns the lines that are printed when the stack is ready
 */
function welcome(
  dataDir: string,
  [first, ...others]: string[],
  networkUrl: string | undefined,
  metricsPort: number | undefined,
  consolePort: number | undefined,
): string {
  const path = relative(process.cwd(), dataDir);
  const lines = ['', `  Open   ${first}`];
  if (networkUrl) lines.push(`  Phone  ${networkUrl}`);
  if (others.length > 0) lines.push(`  More   ${others.join('  ')}`);
  lines.push(`  Docs   ${first}/docs`);
  if (metricsPort) lines.push(`  Meters http://localhost:${metricsPort}/metrics`);
  if (consolePort) lines.push(`  Watch  http://localhost:${consolePort}/console/`);
  lines.push(`  Data   ${path.startsWith('..') || !path ? dataDir : path}`, '  Stop   Ctrl-C', '');
  return lines.join('\n');
}
