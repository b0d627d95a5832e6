// An API replica as a process: start, listen, drain, stop. It listens whether or not the stores are
// there: /api/health/ready says when they are.
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { readConfigOrExit } from './config.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { createLogger } from './platform/logger.ts';
import { keepCheckingRedis } from './platform/redis-check.ts';
import { exitOnCrash, exitWith, stopOnSignal } from './platform/signals.ts';
import { startTracing } from './platform/tracing.ts';
import { createServices } from './services.ts';

/** How long a draining replica still answers, so that load balancers notice: a second at least. [contract 18] */
const DRAIN_MS = 1200;

const config = readConfigOrExit();
const { host, metricsPort, port } = config;
const logger = createLogger(config.logLevel, 'api');
exitOnCrash(logger);
const stopTracing = await startTracing(config.tracing, 'quiz-api');
const services = createServices(config, logger);
const app = await buildApp(services);
const metrics = await startMetricsServer({ port: metricsPort, host }, logger).catch((error) =>
  exitWith(logger, `cannot serve metrics on port ${metricsPort} (METRICS_PORT)`, error),
);

const stopChecking = keepCheckingRedis(services.redis, logger, (error) =>
  exitWith(logger, error.message),
);

stopOnSignal(logger, async () => {
  services.lifecycle.draining = true;
  await sleep(DRAIN_MS);
  stopChecking();
  await app.close();
  await metrics?.close();
  await services.stop();
  await stopTracing();
});

await app
  .listen({ port, host })
  .catch((error) => exitWith(logger, `cannot listen on port ${port} (PORT)`, error));
