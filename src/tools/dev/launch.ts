// Starts the local stack in order: the stores, migrations, the vocabulary and the page, then the replicas and the
// worker. It stops everything in reverse order. A store that the environment names is used instead of an embedded one.
import { join } from 'node:path';
import { localSecret } from '../../config/local-secret.ts';
import { applyMigrations } from '../../platform/postgres/migrations.ts';
import { removeStack, writeStack } from '../command.ts';
import { API_PROGRAM, type ChildSpec, spawnChild, WORKER_PROGRAM } from './child.ts';
import { findRedis } from './find-redis.ts';
import { type ManagedProcess, type Supervised, type SupervisorEvents, supervise, until } from './managed-process.ts';
import { choosePorts, type StackPorts } from './ports.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { type EmbeddedRedis, startRedis } from './redis.ts';
import { beginStep, printLine, welcome } from './reporter.ts';
import { networkAddresses, processEnv, type Settings, sharedEnv, urlFor } from './settings.ts';

export type Launch = ReturnType<typeof launch>;

/** The processes that run so far. */
interface Stack {
  ports: StackPorts;
  stores?: Stores;
  /** The program that runs to its end as a part of the start. */
  step?: ManagedProcess | undefined;
  /** The replicas, and behind them the worker. */
  programs: Supervised<ManagedProcess>[];
  ready: boolean;
}

interface LaunchContext {
  settings: Settings;
  stack: Stack;
  events: SupervisorEvents;
  /** Aborts when the stack is told to stop. */
  signal: AbortSignal;
  /** Rejects when a program exits by itself before the stack is ready. */
  failed: Promise<never>;
}

/** Starts the stack; the caller holds the lock of its `DATA_DIR`. */
export function launch(settings: Settings) {
  const abort = new AbortController();
  const stack: Stack = { ports: { api: [], metrics: [] }, programs: [], ready: false };
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const events: SupervisorEvents = {
    onChange() {
      if (!abort.signal.aborted) publish(settings, stack);
    },
    onDied(name, ending) {
      // A program that exits before it was ever ready would do so again after a restart.
      if (!stack.ready && ending.startsWith('exit'))
        failure.reject(new Error(`${name} did not start, see its lines above.`));
    },
  };
  const started = start({ settings, stack, events, signal: abort.signal, failed: failure.promise });
  return {
    /** Resolves when every process answers; rejects when one can't be started. */
    started,
    /** Stops whatever was started, in reverse order, also while the stack is starting. */
    async stop(): Promise<void> {
      abort.abort(new Error('stopped'));
      removeStack(settings.dataDir);
      // The running step finishes first, so that every process that it starts is known.
      await Promise.all([stack.step?.stop(), started.catch(() => undefined)]);
      await Promise.all(stack.programs.toReversed().map((program) => program.stop()));
      await stack.stores?.stop();
    },
  };
}

async function start(context: LaunchContext): Promise<void> {
  const { settings, stack, events, signal } = context;
  const { dataDir, host } = settings;
  removeStack(dataDir);
  stack.ports = await choosePorts(settings, printLine);
  const secret = settings.env.BETTER_AUTH_SECRET ?? localSecret(dataDir);
  signal.throwIfAborted();
  stack.stores = await startLocalStores(settings, events, signal);
  signal.throwIfAborted();
  const { databaseUrl, redisUrl } = stack.stores;
  const migrated = beginStep('Migrations');
  const { applied, total } = await applyMigrations(databaseUrl);
  migrated(`${applied.length} applied, ${total} in all`);
  signal.throwIfAborted();

  const { api, metrics } = stack.ports;
  const apiUrls = api.map((port) => urlFor(host, port));
  const networkUrls = networkAddresses(host).flatMap((address) => api.map((port) => `http://${address}:${port}`));
  const env = sharedEnv(settings, { databaseUrl, redisUrl, secret, apiUrls, networkUrls });
  await prepareContent(context, env);
  await startPrograms(context, env);
  const consolePort = env.CONSOLE_TOKEN ? metrics.at(-1) : undefined;
  const [networkUrl] = networkUrls;
  const [metricsPort] = metrics;
  printLine(welcome({ apiUrls, networkUrl, metricsPort, consolePort, dataDir }));
}

/** Loads the built-in vocabulary, and builds the page and the documents. */
async function prepareContent(context: LaunchContext, env: NodeJS.ProcessEnv): Promise<void> {
  const loaded = beginStep('Vocabulary');
  await runStep(context, { name: 'vocab', args: ['src/tools/import/cli.ts', 'load'], env });
  loaded('built-in lists are in');
  if (env.WEB_PAGE === 'false') return;
  const built = beginStep('Page');
  await runStep(context, { name: 'page', args: ['src/web/build.ts', '--if-stale'], env });
  await runStep(context, { name: 'docs', args: ['src/docs/build.ts', '--if-stale'], env });
  built('built from src/web');
}

/** Runs a program to its end as a part of the start. */
async function runStep({ stack, signal }: LaunchContext, spec: ChildSpec): Promise<void> {
  stack.step = await spawnChild(spec);
  if (signal.aborted) void stack.step.stop();
  const ending = await stack.step.exited;
  stack.step = undefined;
  signal.throwIfAborted();
  if (ending !== 'exit 0') throw new Error(`${spec.name} failed (${ending}), see its lines above.`);
}

/** Starts the replicas and the worker, and waits until the replicas are healthy. */
async function startPrograms(context: LaunchContext, env: NodeJS.ProcessEnv): Promise<void> {
  const { settings, stack, events, signal, failed } = context;
  const { host, replicas } = settings;
  const { ports } = stack;
  const answering = beginStep('Service');
  const specs = ports.api.map((_, index) => ({ name: `api-${index + 1}`, args: API_PROGRAM }));
  specs.push({ name: 'worker', args: WORKER_PROGRAM });
  stack.programs = await Promise.all(
    specs.map((spec, index) => {
      const child = { ...spec, env: processEnv(env, ports, index) };
      return supervise(spec.name, () => spawnChild(child), events);
    }),
  );
  events.onChange();
  const healthy = Promise.all(ports.api.map((port) => waitUntilHealthy(urlFor(host, port), signal)));
  await Promise.race([healthy, failed]);
  stack.ready = true;
  events.onChange();
  answering(`${replicas} API ${replicas > 1 ? 'replicas' : 'replica'}, 1 worker`);
}

/** Notes the running processes in the stack file, for other commands, once all are ready. */
function publish({ dataDir, host, replicas }: Settings, { stores, programs, ports, ready }: Stack): void {
  if (!ready || !stores) return;
  const pids = programs.map((program) => program.pid());
  const entry = (pid: number | undefined) => (pid === undefined ? [] : [{ pid }]);
  const [postgres] = entry(stores.postgresPid());
  const [redis] = entry(stores.redisPid());
  writeStack(dataDir, {
    databaseUrl: stores.databaseUrl,
    redisUrl: stores.redisUrl,
    apis: ports.api.flatMap((port, index) => entry(pids[index]).map(({ pid }) => ({ url: urlFor(host, port), pid }))),
    workers: entry(pids[replicas]),
    ...(postgres && { postgres }),
    ...(redis && { redis }),
  });
}

const DATABASE = 'vocabulary_quiz';

type Stores = Awaited<ReturnType<typeof startLocalStores>>;

/** Starts the stores that the environment does not name, both at the same time. */
async function startLocalStores({ dataDir, env }: Settings, events: SupervisorEvents, signal: AbortSignal) {
  const starting = [
    env.REDIS_URL ? undefined : superviseRedis(dataDir, env, events, signal),
    env.DATABASE_URL ? undefined : supervisePostgres(dataDir, events),
  ] as const;
  const results = await Promise.allSettled(starting);
  const servers = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  async function stop(): Promise<void> {
    for (const server of servers) await server?.stop();
  }
  const [redis, postgres] = await Promise.all(starting).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    databaseUrl: env.DATABASE_URL ?? (postgres?.first.urlOf(DATABASE) as string),
    redisUrl: env.REDIS_URL ?? (redis?.first.url as string),
    /** Undefined when the store is the user's own, or is down at the moment, as `redisPid` is. */
    postgresPid: () => postgres?.pid(),
    redisPid: () => redis?.pid(),
    stop,
  };
}

async function supervisePostgres(dataDir: string, events: SupervisorEvents): Promise<Supervised<EmbeddedPostgres>> {
  const step = beginStep('PostgreSQL');
  const options = { dataDir: join(dataDir, 'postgres'), durable: true };
  const start = (first?: EmbeddedPostgres) => startPostgres({ ...options, port: first?.port });
  const server = await supervise('PostgreSQL', start, events);
  step(`127.0.0.1:${server.first.port}`);
  return server;
}

async function superviseRedis(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  events: SupervisorEvents,
  signal: AbortSignal,
): Promise<Supervised<EmbeddedRedis>> {
  const step = beginStep('Redis');
  const binary = await findRedis(env, printLine, signal);
  const options = { dataDir: join(dataDir, 'redis'), persist: true, binary };
  const start = (first?: EmbeddedRedis) => startRedis({ ...options, port: first?.port });
  const server = await supervise('Redis', start, events);
  step(`127.0.0.1:${server.first.port}, version ${binary.version}`);
  return server;
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
