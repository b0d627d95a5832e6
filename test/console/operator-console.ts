// The operator's console of a service, on a port of its own, as a worker serves it.
import { type MetricsServer, startMetricsServer } from '../../src/http/metrics-server.ts';
import type { Services } from '../../src/services.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { startConsole } from '../../worker/jobs.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';

export const CONSOLE_TOKEN = 'the-token-of-the-console-in-tests';

/** @returns the value of the header `authorization` */
export const basic = (token: string) => `Basic ${Buffer.from(`grace:${token}`).toString('base64')}`;

/** The console exists from the file's first `beforeAll` until its last `afterAll`. */
export function useOperatorConsole(services: () => Services) {
  return forAllTests(() => startOperatorConsole(services()));
}

async function startOperatorConsole(services: Services) {
  const config = { ...services.config, consoleToken: CONSOLE_TOKEN };
  const operators = startConsole({ ...services, config });
  const options = { port: await freePort(), host: '127.0.0.1' };
  const server = (await startMetricsServer(options, services, operators?.handle)) as MetricsServer;
  const url = `http://127.0.0.1:${server.port}`;
  const authorization = basic(CONSOLE_TOKEN);
  const browser = createHttpClient(url);
  /** Sends a request of an operator's browser, on a page of the console. */
  const request: HttpClient['request'] = (method, path, init = {}) =>
    browser.request(method, path, { ...init, headers: { authorization, ...init.headers } });
  return {
    url,
    request,
    get: (path: string) => request('GET', path),
    /** Submits a form of the console. @param headers are sent as well */
    submit: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      request('POST', path, { body: new URLSearchParams(fields), headers }),
    async stop(): Promise<void> {
      await server.close();
      await operators?.close();
    },
  };
}
