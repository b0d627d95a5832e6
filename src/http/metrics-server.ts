// GET /metrics on a port of its own, for API replicas and workers; never on the public port. And
// GET /live, by which whoever runs the process tells that it isn't stuck; a worker has no other port.
// [contract 7]
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../platform/logger.ts';
import { renderMetrics } from '../platform/metrics.ts';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * @param options.port 0 turns it off
 * @returns the server, or undefined when it is off
 * @throws Error of Node.js, as EADDRINUSE, when it can't listen
 */
export async function startMetricsServer(
  options: { port: number; host: string },
  logger: Logger,
): Promise<MetricsServer | undefined> {
  if (options.port === 0) return undefined;
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/live') return void response.writeHead(200).end();
    if (path !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    sendMetrics(response).catch((error: unknown) => {
      logger.error({ err: error }, 'metrics cannot be read');
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'metrics are served');
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendMetrics(response: ServerResponse): Promise<void> {
  const { contentType, text } = await renderMetrics();
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
}
