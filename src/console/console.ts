// The console of the operator, on the port of a worker's metrics: GET /console/. It is off without CONSOLE_TOKEN. Its
// pages and their libraries are loaded by the first request with the token, so that they cost nothing before.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { CommonServices } from '../common-services.ts';
import type { QueuePlace } from '../platform/queues/queue.ts';

export type ConsoleServices = CommonServices & { queuePlaces: readonly QueuePlace[] };

/** @param token must come with every request */
export function createConsole(token: string, deps: ConsoleServices) {
  let loaded: Promise<FastifyInstance> | undefined;
  return {
    handle(request: IncomingMessage, response: ServerResponse) {
      if (!isSame(credentialsOf(request).token, token)) return refuse(response, 401, WHO_ASKS, CHALLENGE);
      // A browser sends the token also for a form that a page of another origin has.
      if (!['GET', 'HEAD'].includes(request.method ?? '') && !isSameOrigin(request))
        return refuse(response, 403, 'Only pages of the console can change something.');
      loaded ??= import('./app.ts').then(({ buildPages }) => buildPages(deps));
      loaded
        .then((app) => app.routing(request, response))
        .catch((error: unknown) => {
          loaded = undefined;
          deps.logger.error({ err: error }, 'the console cannot be loaded');
          refuse(response, 500, 'The console cannot be loaded; the log says why.');
        });
    },
    async close(): Promise<void> {
      await (await loaded?.catch(() => undefined))?.close();
    },
  };
}

const WHO_ASKS = 'The password is the CONSOLE_TOKEN of the workers; the user name is your own, for the audit log.';
const CHALLENGE = { 'www-authenticate': 'Basic realm="Console", charset="UTF-8"' };

function refuse(response: ServerResponse, status: number, text: string, headers?: Record<string, string>): void {
  const common = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...common, ...headers }).end(`${text}\n`);
}

/** The longest name of an operator, in UTF-16 units; more of it is cut off. */
const NAME_MAX = 50;

export function operatorOf(request: IncomingMessage): string {
  return credentialsOf(request).name.slice(0, NAME_MAX) || 'unnamed';
}

function credentialsOf({ headers }: IncomingMessage): { name: string; token: string } {
  const [, encoded = ''] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return { name: text.slice(0, Math.max(0, colon)), token: text.slice(colon + 1) };
}

/** Compares in a time that depends neither on the length nor on the content. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function isSameOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
