// A fleet is the service as in production: processes of replicas and workers, behind a load balancer.
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices } from '../../src/services.ts';
import { startBalancer, startHaproxy } from './balancer.ts';
import { eventually } from './eventually.ts';
import { processEnv, requireHealthy } from './replica-process.ts';
import { createRestartableProcess } from './restartable-process.ts';
import { freePorts } from './service.ts';
import { startStores } from './stores.ts';

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/**
 * Starts replicas and as many workers.
 * @param env overrides of their environment variables
 * @param size the number of replicas, which is that of workers too
 * @param host the name of this machine by which clients know the service
 */
export async function startFleet(env: NodeJS.ProcessEnv = {}, size = 2, host = '127.0.0.1') {
  const stores = await startStores({ hasWords: true });
  const ports = await freePorts(size);
  // A machine that runs other tests as well is slow, which is no reason to cut sockets here.
  const start = process.env.FLEET_BALANCER === 'haproxy' ? (on: number[]) => startHaproxy(on, '10s') : startBalancer;
  const balancer = await start(ports);
  const url = balancer.url.replace('127.0.0.1', host);
  const common = processEnv(stores, url, env);
  const services = createServices(readConfig({ ...common, PORT: '0' }), createLogger('silent', 'test'));
  const replicas = ports.map((port) =>
    createRestartableProcess({
      entry: 'src/server.ts',
      env: () => ({ ...common, PORT: String(port) }),
      isReady: () => requireHealthy(`http://127.0.0.1:${port}`),
    }),
  );
  const workers = ports.map(() =>
    createRestartableProcess({ entry: 'worker/main.ts', env: () => common, isReady: async () => {} }),
  );
  await Promise.all([...replicas, ...workers].map((one) => one.start()));
  // The balancer notices a replica that has started at its next check.
  await eventually(() => requireHealthy(balancer.url));
  return {
    url,
    stores,
    /** Services in the test's process, with which a test creates users and runs commands. */
    services,
    replicas,
    workers,
    async stop(): Promise<void> {
      await Promise.all([...replicas, ...workers].map((one) => one.kill()));
      await balancer.stop();
      await services.stop();
      await stores.stop();
    },
  };
}
