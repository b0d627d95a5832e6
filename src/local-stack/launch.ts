// The order in which the local stack starts, and the reverse in which it stops.
import { localSecret } from '../config/local-secret.ts';
import { applyMigrations } from '../platform/migrations.ts';
import { API_PROGRAM, type ChildSpec, spawnChild } from './child.ts';
import { probeUrl, processEnv, sharedEnv, urlFor } from './child-env.ts';
import { choosePorts, type StackPorts } from './choose-ports.ts';
import { waitUntilHealthy } from './healthy.ts';
import { type KeeperEvents, type Kept, keepRunning } from './keep-running.ts';
import type { Lock } from './lock.ts';
import { networkAddresses } from './network.ts';
import type { OwnProcess } from './own-process.ts';
import { type Reporter, welcome } from './reporter.ts';
import type { Settings } from './settings.ts';
import { removeStack, writeStack } from './stack-file.ts';
import { type Stores, startLocalStores } from './stores.ts';

export interface Launch {
  /** Resolves when everything answers; rejects when something can't be started. */
  readonly started: Promise<void>;
  /** Stops whatever was started, in reverse order; while starting, too. */
  stop(): Promise<void>;
  /** SIGKILL to all of it. */
  kill(): void;
}

/** Starts the stack; the lock of its `DATA_DIR` is ours already. */
export function launch(settings: Settings, lock: Lock, reporter: Reporter): Launch {
  const { dataDir, host, replicas } = settings;
  const abort = new AbortController();
  let stores: Stores | undefined;
  let step: OwnProcess | undefined;
  let ports: StackPorts = { api: [], metrics: [] };
  /** The replicas, and behind them the worker. */
  let programs: Kept<OwnProcess>[] = [];
  let ready = false;
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => undefined);
  const events: KeeperEvents = {
    print: reporter.line,
    onChange: publish,
    onDied(name, ending) {
      // One that gives up by itself before it ever worked will do so again.
      if (!ready && ending.startsWith('exit'))
        refused.reject(new Error(`${name} did not start, see its lines above.`));
    },
  };

  function publish(): void {
    if (abort.signal.aborted) return;
    const pids = programs.map((program) => program.pid());
    lock.setChildren([...pids, step?.pid]);
    if (!ready || !stores) return;
    const named = (pid: number | undefined) => (pid === undefined ? [] : [{ pid }]);
    const [postgres, redis] = [stores.postgresPid(), stores.redisPid()].map((pid) => named(pid)[0]);
    writeStack(dataDir, {
      databaseUrl: stores.databaseUrl,
      redisUrl: stores.redisUrl,
      apis: ports.api.flatMap((port, index) =>
        named(pids[index]).map(({ pid }) => ({ url: urlFor(host, port), pid })),
      ),
      workers: named(pids[replicas]),
      ...(postgres && { postgres }),
      ...(redis && { redis }),
    });
  }

  /** Runs a program to its end, as a part of the start. */
  async function runStep(spec: ChildSpec): Promise<void> {
    step = await spawnChild(spec, reporter.line);
    if (abort.signal.aborted) void step.stop();
    publish();
    const ending = await step.exited;
    step = undefined;
    abort.signal.throwIfAborted();
    if (ending !== 'exit 0')
      throw new Error(`${spec.name} failed (${ending}), see its lines above.`);
  }

  async function start(): Promise<void> {
    removeStack(dataDir);
    ports = await choosePorts(settings, reporter.line);
    const secret = settings.env.BETTER_AUTH_SECRET ?? localSecret(dataDir);
    abort.signal.throwIfAborted();
    stores = await startLocalStores(settings, reporter, events, abort.signal);
    abort.signal.throwIfAborted();

    const migrated = reporter.step('Migrations');
    const { applied, total } = await applyMigrations(stores.databaseUrl);
    migrated(`${applied.length} applied, ${total} in all`);
    abort.signal.throwIfAborted();

    const { databaseUrl, redisUrl } = stores;
    const apiUrls = ports.api.map((port) => urlFor(host, port));
    const networkUrls = networkAddresses(host).flatMap((address) =>
      ports.api.map((port) => `http://${address}:${port}`),
    );
    const env = sharedEnv(settings, { databaseUrl, redisUrl, secret, apiUrls, networkUrls });
    const loaded = reporter.step('Vocabulary');
    await runStep({ name: 'vocab', args: ['src/vocabulary/cli.ts', 'load'], env });
    loaded('built-in lists are in');
    if (env.WEB_PAGE !== 'false') {
      const built = reporter.step('Page');
      await runStep({ name: 'page', args: ['src/web/build.ts', '--if-stale'], env });
      await runStep({ name: 'docs', args: ['src/http/documents/build.ts', '--if-stale'], env });
      built('built from src/web');
    }

    const answering = reporter.step('Service');
    const specs = ports.api.map((_, index) => ({ name: `api-${index + 1}`, args: API_PROGRAM }));
    specs.push({ name: 'worker', args: ['worker/main.ts'] });
    programs = await Promise.all(
      specs.map((spec, index) => {
        const child = { ...spec, env: processEnv(env, ports, index) };
        return keepRunning(spec.name, () => spawnChild(child, reporter.line), events);
      }),
    );
    publish();
    const urls = ports.api.map((port) => probeUrl(host, port));
    const healthy = Promise.all(urls.map((url) => waitUntilHealthy(url, abort.signal)));
    await Promise.race([healthy, refused.promise]);
    ready = true;
    publish();
    answering(`${replicas} API ${replicas > 1 ? 'replicas' : 'replica'}, 1 worker`);
    reporter.line(
      welcome({ apiUrls, networkUrl: networkUrls[0], metricsPort: ports.metrics[0], dataDir }),
    );
  }

  const started = start();
  async function stop(): Promise<void> {
    abort.abort(new Error('stopped'));
    removeStack(dataDir);
    // A step that is under way is let finish, so that what it starts is known.
    await Promise.all([step?.stop(), started.catch(() => undefined)]);
    await Promise.all(programs.toReversed().map((program) => program.stop()));
    await stores?.stop();
  }
  function kill(): void {
    abort.abort(new Error('stopped'));
    step?.signal('SIGKILL');
    for (const program of programs) program.kill();
    stores?.kill();
  }
  return { started, stop, kill };
}
