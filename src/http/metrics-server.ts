// Serves GET /metrics of replicas and workers on a port of its own, which is not public. A worker has no other port, so
// that its health checks and the operator's console are here too. [contract 7, 18]
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderMetrics } from '../platform/observability/metrics.ts';
import type { Services } from '../services.ts';

export type ReadinessServices = Pick<Services, 'lifecycle' | 'storeChecks'>;

/** @returns whether the process has reached its stores once and is not being stopped; the stores are not asked */
export function readinessOf({ lifecycle, storeChecks }: ReadinessServices) {
  if (lifecycle.draining) return 'draining';
  return storeChecks.wereReached() ? 'ok' : 'starting';
}

export type MetricsServer = NonNullable<Awaited<ReturnType<typeof startMetricsServer>>>;

/**
 * @param serveConsole handles the requests to /console and below; without it they are 404
 * @returns the server, or undefined for the port 0, which turns it off
 * @throws Error of Node.js, such as EADDRINUSE, when it can't listen
 */
export async function startMetricsServer(
  options: { port: number; host: string },
  deps: ReadinessServices & Pick<Services, 'logger'>,
  serveConsole?: RequestListener,
) {
  if (options.port === 0) return undefined;
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/live') return void response.writeHead(200).end();
    if (path === '/ready') {
      const status = readinessOf(deps);
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      return void response.writeHead(status === 'ok' ? 200 : 503, headers).end(JSON.stringify({ status }));
    }
    if (serveConsole && /^\/console(\/|$)/.test(path ?? '')) return serveConsole(request, response);
    if (path !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    sendMetrics(response).catch((error: unknown) => {
      deps.logger.error({ err: error }, 'metrics cannot be read');
      response.writeHead(500).end();
    });
  });
  await once(server.listen(options.port, options.host), 'listening');
  const { port } = server.address() as AddressInfo;
  deps.logger.info({ port }, 'metrics are served');
  return {
    port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendMetrics(response: ServerResponse): Promise<void> {
  const { contentType, text } = await renderMetrics();
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
}
