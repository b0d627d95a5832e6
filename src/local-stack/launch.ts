// The order in which the local stack starts, and the reverse in which it stops.
import { localSecret } from '../config/local-secret.ts';
import { applyMigrations } from '../platform/migrations.ts';
import { API_PROGRAM, type Child, type ChildSpec, describeEnding, runChild } from './child.ts';
import { probeUrl, replicaEnv, sharedEnv, urlFor, workerEnv } from './child-env.ts';
import { choosePorts, type StackPorts } from './choose-ports.ts';
import { waitUntilHealthy } from './healthy.ts';
import type { Lock } from './lock.ts';
import { networkAddresses } from './network.ts';
import type { Reporter } from './reporter.ts';
import { welcome } from './reporter.ts';
import type { Settings } from './settings.ts';
import { removeStack, writeStack } from './stack-file.ts';
import { type Stores, startLocalStores } from './stores.ts';
import { createSupervisor } from './supervisor.ts';

const WORKER = 'worker';

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
  const names = Array.from({ length: replicas }, (_, index) => `api-${index + 1}`);
  let stores: Stores | undefined;
  let loader: Child | undefined;
  let ports: StackPorts = { api: [], metrics: [] };
  let ready = false;
  let failStart: (reason: Error) => void = () => undefined;

  const supervisor = createSupervisor({
    print: reporter.line,
    onChange: publish,
    onDied(name, ending) {
      reporter.line(`${name} ended (${describeEnding(ending)}), it is started again in a second.`);
      // One that gives up by itself before it ever worked will do so again.
      if (!ready && ending.code !== null)
        failStart(new Error(`${name} did not start, see its lines above.`));
    },
  });

  function publish(): void {
    if (abort.signal.aborted) return;
    const [postgresPid, redisPid] = [stores?.postgresPid(), stores?.redisPid()];
    const pids = [...names, WORKER].map((name) => supervisor.pidOf(name));
    lock.setChildren([...pids, loader?.pid]);
    if (!ready || !stores) return;
    const workerPid = pids.at(-1);
    writeStack(dataDir, {
      databaseUrl: stores.databaseUrl,
      redisUrl: stores.redisUrl,
      apis: ports.api.flatMap((port, index) => {
        const pid = pids[index];
        return pid === undefined ? [] : [{ url: urlFor(host, port), pid }];
      }),
      workers: workerPid === undefined ? [] : [{ pid: workerPid }],
      ...(postgresPid !== undefined && { postgres: { pid: postgresPid } }),
      ...(redisPid !== undefined && { redis: { pid: redisPid } }),
    });
  }

  /** Runs a program to its end, as a part of the start. */
  async function runStep(spec: ChildSpec): Promise<void> {
    await runChild(spec, reporter.line, (child) => {
      loader = child;
      publish();
    });
    loader = undefined;
    abort.signal.throwIfAborted();
  }

  async function start(): Promise<void> {
    removeStack(dataDir);
    ports = await choosePorts(settings, reporter.line);
    const secret = settings.env.BETTER_AUTH_SECRET ?? localSecret(dataDir);
    abort.signal.throwIfAborted();
    stores = await startLocalStores(settings, reporter, publish, abort.signal);
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
    const refused = new Promise<never>((_, reject) => {
      failStart = reject;
    });
    names.forEach((name, index) => {
      supervisor.keep({ name, args: API_PROGRAM, env: replicaEnv(env, ports, index) });
    });
    supervisor.keep({ name: WORKER, args: ['worker/main.ts'], env: workerEnv(env, ports) });
    const urls = ports.api.map((port) => probeUrl(host, port));
    const healthy = Promise.all(urls.map((url) => waitUntilHealthy(url, abort.signal)));
    await Promise.race([healthy, refused]);
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
    loader?.kill('SIGTERM');
    // A step that is under way is let finish, so that what it starts is known.
    await Promise.all([supervisor.stop(), started.catch(() => undefined)]);
    await supervisor.stop();
    await stores?.stop();
  }
  function kill(): void {
    abort.abort(new Error('stopped'));
    loader?.kill('SIGKILL');
    supervisor.kill();
    stores?.kill();
  }
  return { started, stop, kill };
}
