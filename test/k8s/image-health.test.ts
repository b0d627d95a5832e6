// Docker runs one health check for the image of API replicas and workers: it is run here in the same way.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startMetricsServer } from '../../src/http/metrics-server.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { runCommand } from '../support/command.ts';
import { useService } from '../support/service.ts';
import { textOf } from '../support/sources.ts';

const { service } = useService();

const [, command = ''] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(textOf('Dockerfile')) ?? [];
const [, ...args] = JSON.parse(command);

/** @returns the command's exit code: 0 for a healthy container, 1 for another one */
const checkHealth = async (env: { METRICS_PORT?: string; PORT?: string }) => (await runCommand(args, env)).code;

test('a process that serves metrics is checked on their port', async () => {
  const port = await freePort();
  const metrics = await startMetricsServer({ port, host: '127.0.0.1' }, service.services);
  expect(await checkHealth({ METRICS_PORT: `${port}` })).toBe(0);
  await metrics?.close();
  expect(await checkHealth({ METRICS_PORT: `${port}` })).toBe(1);
});

test('with METRICS_PORT=0 an API replica is checked on its public port', async () => {
  expect(await checkHealth({ METRICS_PORT: '0', PORT: new URL(service.url).port })).toBe(0);
});

test('with METRICS_PORT=0 an API replica that does not answer is unhealthy', async () => {
  const port = await freePort();
  const stuck = createServer(() => {}).listen(port, '127.0.0.1');
  expect(await checkHealth({ METRICS_PORT: '0', PORT: `${port}` })).toBe(1);
  stuck.close();
  stuck.closeAllConnections();
});

test('with METRICS_PORT=0 a worker, which then has no port, is healthy while it runs', async () => {
  expect(await checkHealth({ METRICS_PORT: '0', PORT: `${await freePort()}` })).toBe(0);
});
