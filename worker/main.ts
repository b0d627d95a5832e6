// Runs a worker, which does the jobs of jobs.ts.
import { createCommonServices } from '../src/common-services.ts';
import { readConfigOrExit } from '../src/config.ts';
import { startMetricsServer } from '../src/http/metrics-server.ts';
import { createLogger } from '../src/platform/observability/logger.ts';
import { startTracing } from '../src/platform/observability/tracing.ts';
import { keepCheckingRedis } from '../src/platform/redis/redis-check.ts';
import { exitOnCrash, exitWith, stopOnSignal } from '../src/platform/signals.ts';
import { startConsole, startJobs } from './jobs.ts';

const config = readConfigOrExit();
const { host, metricsPort } = config;
const logger = createLogger(config.logLevel, 'worker');
exitOnCrash(logger);
const stopTracing = await startTracing(config.tracing, 'quiz-worker');
const services = createCommonServices(config, logger, 'worker');
const stopChecking = keepCheckingRedis(services.redis, logger, (error) => exitWith(logger, error.message));
const operators = startConsole(services);
const metrics = await startMetricsServer({ port: metricsPort, host }, services, operators?.handle).catch((error) =>
  exitWith(logger, `cannot serve metrics on port ${metricsPort} (METRICS_PORT)`, error),
);
const jobs = startJobs(services);

stopOnSignal(logger, async () => {
  services.lifecycle.draining = true;
  stopChecking();
  await jobs.close();
  await metrics?.close();
  await operators?.close();
  await services.stop();
  await stopTracing();
});
logger.info('worker ready');
