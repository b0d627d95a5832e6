// The pages of the console. They only read, except for what the command `accounts` can do too. [contract 7]
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import type { Queue } from 'bullmq';
import Fastify, { type FastifyInstance } from 'fastify';
import { helmetOptions } from '../http/edge/security.ts';
import { readFiles, sendFile } from '../http/files.ts';
import { isOutage, withTimeout } from '../platform/outages/outage.ts';
import { createQueue } from '../platform/queues/queue.ts';
import { type ListedProcess, listProcesses } from '../platform/redis/processes.ts';
import { registerAccounts } from './accounts.ts';
import type { ConsoleServices } from './console.ts';
import { type Html, html, sendPage, span, table } from './html.ts';
import { registerLobbies } from './lobbies.ts';
import { QUEUES_PATH, serveQueues } from './queues.ts';

const ASSETS = fileURLToPath(new URL('assets', import.meta.url));
/** The port has no TLS: `kubectl port-forward` brings its own. */
const HAS_TLS = false;
/** A form of the console is much smaller, in bytes. */
const FORM_MAX = 4096;

/** @returns the application, which `routing` passes requests to; it does not check who asks */
export async function buildPages(deps: ConsoleServices): Promise<FastifyInstance> {
  const queues = deps.queuePlaces.map((place) => createQueue(place, deps));
  const app = Fastify({ bodyLimit: FORM_MAX });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.addHook('onClose', async () => {
    await Promise.all(queues.map((queue) => queue.close()));
  });
  app.setErrorHandler((error, request, reply) => {
    if (isOutage(error)) return sendPage(reply, 'A store can’t be reached', '', { status: 503 });
    const { statusCode: status = 500 } = error as { statusCode?: number };
    if (status < 500) return sendPage(reply, 'No such request', '', { status });
    deps.logger.error({ err: error, route: request.routeOptions.url }, 'console page failed');
    return sendPage(reply, 'The page failed; the log says why', '', { status });
  });
  await app.register(async (pages) => {
    await pages.register(helmet, helmetOptions(HAS_TLS, {}));
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    pages.setNotFoundHandler((_request, reply) => sendPage(reply, 'No such page', '', { status: 404 }));
    registerPages(pages, deps, queues);
  });
  await app.register(async (board) => {
    // Bull Board styles its elements by attributes, and names the base of its addresses.
    const needs = { 'style-src': ["'self'", "'unsafe-inline'"], 'base-uri': ["'self'"] };
    await board.register(helmet, helmetOptions(HAS_TLS, needs));
    await board.register(serveQueues(queues), { prefix: QUEUES_PATH });
  });
  await app.ready();
  return app;
}

function registerPages(app: FastifyInstance, deps: ConsoleServices, queues: readonly Queue[]): void {
  const files = readFiles(ASSETS);
  app.get('/console', (_request, reply) => reply.redirect('/console/'));
  app.get('/console/', async (_request, reply) =>
    sendPage(reply, 'Vocabulary quiz', await overview(deps, queues), { isLive: true }),
  );
  app.get('/console/assets/:file', (request, reply) => {
    const file = files.get(`/${(request.params as { file: string }).file}`);
    return file ? sendFile(request, reply, file, 'no-store') : reply.callNotFound();
  });
  registerLobbies(app, deps);
  registerAccounts(app, deps);
}

/** A process sends a command every two seconds; one that is silent for longer than this, in seconds, is frozen. */
const SILENT_MAX_S = 10;
/** BullMQ waits for a Redis that this process has not reached yet; a part that takes longer than this is left out, ms. */
const READ_TIMEOUT_MS = 2000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const STORES = { postgres: 'PostgreSQL', redis: 'Redis' };

/** @returns the content; a part that can't be read says so, and the others are shown */
async function overview(deps: ConsoleServices, queues: readonly Queue[]): Promise<Html> {
  const [states, processes, counts] = await Promise.all([
    deps.storeChecks.look(),
    orUnread(listProcesses(deps.redis).then(processesOf)),
    orUnread(queuesOf(queues)),
  ]);
  const stores = Object.entries(STORES).map(([name, label]) => {
    const state = states[name as keyof typeof STORES];
    return [label, state === 'ok' ? state : html`<span class="bad">${state}</span>`];
  });
  return html`
<h2>Stores, as ${deps.processName} sees them</h2>
${table(['store', 'state'], stores)}
<h2>Processes</h2>
${processes}
<h2>Queues</h2>
${counts}
<p><a href="${QUEUES_PATH}/">Their jobs</a></p>`;
}

function orUnread(part: Promise<Html>): Promise<Html> {
  return withTimeout(part, READ_TIMEOUT_MS).catch(() => html`<p class="bad">can’t be read</p>`);
}

function processesOf(processes: readonly ListedProcess[]): Html {
  const versions = new Set(processes.map(({ version }) => version));
  const rows = processes.map((each) => [
    each.program,
    each.name,
    each.version,
    span(each.connectedSeconds),
    each.silentSeconds <= SILENT_MAX_S ? '' : html`<span class="bad">silent for ${span(each.silentSeconds)}</span>`,
  ]);
  return html`${table(['program', 'host/pid', 'version', 'connected for', ''], rows)}
${versions.size > 1 ? html`<p class="bad">More than one version runs: an update is under way, or was left halfway.</p>` : ''}`;
}

async function queuesOf(queues: readonly Queue[]): Promise<Html> {
  const rows = [...Map.groupBy(queues, ({ name }) => name)].map(async ([name, ofName]) => {
    const counts = await Promise.all(ofName.map((queue) => queue.getJobCounts(...STATES)));
    return [name, ...STATES.map((state) => counts.reduce((sum, count) => sum + (count[state] ?? 0), 0))];
  });
  return table(['queue', ...STATES], await Promise.all(rows));
}
