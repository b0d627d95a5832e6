// The console of the operator, on the port of a worker's metrics: GET /console/. It is off without CONSOLE_TOKEN. Its
// pages and their libraries are loaded by the first request with the token, so that they cost nothing before.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { refusalOf } from './access.ts';
import type { ConsoleDeps } from './deps.ts';

export interface Console {
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** @param token must come with every request */
export function createConsole(token: string, deps: ConsoleDeps): Console {
  let loaded: Promise<FastifyInstance> | undefined;

  async function load(): Promise<FastifyInstance> {
    const { buildPages } = await import('./app.ts');
    return buildPages(deps);
  }

  return {
    handle(request, response) {
      const refusal = refusalOf(request, token);
      if (refusal) return refuse(response, refusal);
      loaded ??= load();
      loaded
        .then((app) => app.routing(request, response))
        .catch((error: unknown) => {
          loaded = undefined;
          deps.logger.error({ err: error }, 'the console cannot be loaded');
          refuse(response, { status: 500, text: 'The console cannot be loaded; the log says why.' });
        });
    },
    async close() {
      await (await loaded?.catch(() => undefined))?.close();
    },
  };
}

function refuse(response: ServerResponse, { status, text, headers }: NonNullable<ReturnType<typeof refusalOf>>): void {
  const common = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...common, ...headers }).end(`${text}\n`);
}
