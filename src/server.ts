// An API replica as a process: start, listen, drain, stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { readConfigOrExit } from './config.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { createLogger } from './platform/logger.ts';
import { checkRedis } from './platform/redis-check.ts';
import { exitOnCrash, exitWith, stopOnSignal } from './platform/signals.ts';
import { startTracing } from './platform/tracing.ts';
import { createServices } from './services.ts';

/** How long a draining replica still answers, so that load balancers notice its 503 health. */
const DRAIN_MS = 1000;

const config = readConfigOrExit();
const { host, metricsPort, port } = config;
const logger = createLogger(config.logLevel, 'api');
exitOnCrash(logger);
const stopTracing = await startTracing(config.tracing, 'quiz-api');
const services = createServices(config, logger);
const refuse = (error: Error) => exitWith(logger, error.message);
await checkRedis(services.redis, logger, refuse).catch(refuse);
const app = await buildApp(services);
const metrics = await startMetricsServer({ port: metricsPort, host }, logger).catch((error) =>
  exitWith(logger, `cannot serve metrics on port ${metricsPort} (METRICS_PORT)`, error),
);

stopOnSignal(logger, async () => {
  services.lifecycle.draining = true;
  await sleep(DRAIN_MS);
  await app.close();
  await metrics?.close();
  await services.stop();
  await stopTracing();
});

await app
  .listen({ port, host })
  .catch((error) => exitWith(logger, `cannot listen on port ${port} (PORT)`, error));
