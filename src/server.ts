// Runs an API replica: it starts, listens, drains and stops. It listens also while the stores are away, and
// /api/health/ready tells when it has reached them.
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { readConfigOrExit } from './config.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { createLogger } from './platform/observability/logger.ts';
import { startTracing } from './platform/observability/tracing.ts';
import { keepCheckingRedis } from './platform/redis/redis-check.ts';
import { exitOnCrash, exitWith, stopOnSignal } from './platform/signals.ts';
import { createServices } from './services.ts';

/**
 * A draining replica accepts requests for this many ms, so that load balancers notice that it is not ready. The contract
 * promises at least a second. [contract 18]
 */
const DRAIN_MS = 1200;

const config = readConfigOrExit();
const { host, metricsPort, port } = config;
const logger = createLogger(config.logLevel, 'api');
exitOnCrash(logger);
const stopTracing = await startTracing(config.tracing, 'quiz-api');
const services = createServices(config, logger, 'api');
const app = await buildApp(services);
const metrics = await startMetricsServer({ port: metricsPort, host }, services).catch((error) =>
  exitWith(logger, `cannot serve metrics on port ${metricsPort} (METRICS_PORT)`, error),
);

const stopChecking = keepCheckingRedis(services.redis, logger, (error) => exitWith(logger, error.message));

stopOnSignal(logger, async () => {
  services.lifecycle.draining = true;
  await sleep(DRAIN_MS);
  stopChecking();
  await app.close();
  await metrics?.close();
  await services.stop();
  await stopTracing();
});

await app.listen({ port, host }).catch((error) => exitWith(logger, `cannot listen on port ${port} (PORT)`, error));
