// The console of the operator, on the port of a worker's metrics: GET /console/. It is off without CONSOLE_TOKEN. Its
// pages and their libraries are loaded by the first request with the token, so that they cost nothing before.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { MatchServices } from '../match/store.ts';
import type { StoreChecks } from '../platform/outages/store-checks.ts';
import type { QueuePlace } from '../platform/queues/queue.ts';
import type { Services } from '../services.ts';

/** @param token must come with every request */
export function createConsole(token: string, deps: ConsoleServices) {
  let loaded: Promise<FastifyInstance> | undefined;
  return {
    handle(request: IncomingMessage, response: ServerResponse) {
      const refusal = refusalOf(request, token);
      if (refusal) return refuse(response, refusal);
      loaded ??= import('./app.ts').then(({ buildPages }) => buildPages(deps));
      loaded
        .then((app) => app.routing(request, response))
        .catch((error: unknown) => {
          loaded = undefined;
          deps.logger.error({ err: error }, 'the console cannot be loaded');
          refuse(response, { status: 500, text: 'The console cannot be loaded; the log says why.' });
        });
    },
    async close(): Promise<void> {
      await (await loaded?.catch(() => undefined))?.close();
    },
  };
}

function refuse(response: ServerResponse, { status, text, headers }: Refusal): void {
  const common = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...common, ...headers }).end(`${text}\n`);
}

interface Refusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

/** @returns why a request is refused; undefined where it is let in */
function refusalOf(request: IncomingMessage, token: string): Refusal | undefined {
  if (!isSame(credentialsOf(request).token, token))
    return {
      status: 401,
      text: 'The password is the CONSOLE_TOKEN of the workers; the user name is your own, for the audit log.',
      headers: { 'www-authenticate': 'Basic realm="Console", charset="UTF-8"' },
    };
  // A browser sends the token also for a form that a page of another origin has.
  if (!['GET', 'HEAD'].includes(request.method ?? '') && !isSameOrigin(request))
    return { status: 403, text: 'Only pages of the console can change something.' };
  return undefined;
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

/** The audit log is made when the console is loaded, since it imports the packages behind accounts. */
export type ConsoleServices = MatchServices &
  Pick<Services, 'clock' | 'mailQueue' | 'queueRedis' | 'sessionCache'> & {
    config: { auth: Pick<Config['auth'], 'secret'> };
    storeChecks: Pick<StoreChecks, 'look'>;
    queuePlaces: readonly QueuePlace[];
  };
