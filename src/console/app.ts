// The pages of the console: the overview, the running lobbies with their history, and accounts. They only read, except
// for what the command `npm run operate` can do with an account too. [contract 7]
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import type { Queue } from 'bullmq';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import { isOperatorAction, OPERATOR_ACTIONS, type OperatorActionName } from '../accounts/operator-actions.ts';
import { findUser } from '../accounts/store.ts';
import { type AuditLog, createAuditLog } from '../auth/audit.ts';
import { helmetOptions } from '../http/edge/security.ts';
import { readFiles, sendFile } from '../http/files.ts';
import { parseCode } from '../lobby/rules.ts';
import { checkRound, readHead } from '../match/store.ts';
import { isOutage, withTimeout } from '../platform/outages/outage.ts';
import { timeCursor } from '../platform/page-cursor.ts';
import { createQueue } from '../platform/queues/queue.ts';
import { type ListedProcess, listProcesses } from '../platform/redis/processes.ts';
import { reportLobby } from '../tools/operate/lobby-report.ts';
import { type ConsoleServices, operatorOf } from './console.ts';
import { type Html, html, sendPage, span, table } from './html.ts';
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
    registerOverview(pages, deps, queues);
    registerLobbies(pages, deps);
    registerAccounts(pages, deps);
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

function registerOverview(app: FastifyInstance, deps: ConsoleServices, queues: readonly Queue[]): void {
  const files = readFiles(ASSETS);
  app.get('/console', (_request, reply) => reply.redirect('/console/'));
  app.get('/console/', async (_request, reply) =>
    sendPage(reply, 'Vocabulary quiz', await overview(deps, queues), { isLive: true }),
  );
  app.get('/console/assets/:file', (request, reply) => {
    const file = files.get(`/${(request.params as { file: string }).file}`);
    return file ? sendFile(request, reply, file, 'no-store') : reply.callNotFound();
  });
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

const CODE_RULE = 'A lobby code has six letters and digits';

function registerLobbies(app: FastifyInstance, deps: ConsoleServices): void {
  app.get('/console/lobbies', async (request, reply) => {
    const query = LobbiesQuery.safeParse(request.query);
    if (!query.success) return sendPage(reply, 'No such page', '', { status: 400 });
    const { items, next } = await findRunning(deps, query.data);
    const rows = await Promise.all(items.map((lobby) => rowOf(deps, lobby)));
    const content = html`
${table(['code', 'phase', 'players', 'runs for'], rows)}
${rows.length === 0 ? html`<p>None.</p>` : ''}
${next ? html`<p><a href="?after=${next}">More</a></p>` : ''}`;
    return sendPage(reply, 'Running lobbies', content, { isLive: true });
  });

  app.get('/console/find', (request, reply) => {
    const { code: text = '' } = request.query as { code?: string };
    const code = parseCode(String(text));
    if (!code) return sendPage(reply, CODE_RULE, '', { status: 400 });
    return reply.redirect(`/console/lobbies/${code}`, 303);
  });

  app.get('/console/lobbies/:code', async (request, reply) => {
    const code = parseCode((request.params as { code: string }).code);
    if (!code) return sendPage(reply, CODE_RULE, '', { status: 404 });
    const lines = await reportLobby(deps, code);
    if (!lines) return sendPage(reply, `No lobby and no result has the code ${code}`, '', { status: 404 });
    return sendPage(reply, `Lobby ${code}`, html`<pre>${lines.join('\n')}</pre>`, { isLive: true });
  });
}

type Listed = Awaited<ReturnType<typeof findRunning>>['items'][number];

async function rowOf({ redis, nowMs }: ConsoleServices, { id, code, playerCount, capacity, activeAt }: Listed) {
  const [head, round] = await Promise.all([readHead(redis, id), checkRound(redis, id)]);
  // There is no round between two, and no head where Redis has no game of the lobby.
  const phase =
    round && round !== 'complete'
      ? `round ${round.round}, ${round.answered} of ${round.awaited} answered`
      : (head?.status ?? html`<span class="bad">Redis has no game of it</span>`);
  const link = html`<a href="/console/lobbies/${code}">${code}</a>`;
  return [link, phase, `${playerCount} of ${capacity}`, span((nowMs() - activeAt.getTime()) / 1000)];
}

const PAGE_SIZE = 50;
const LobbiesQuery = z.object({ after: timeCursor.field });

/** @returns a page of the running lobbies; `next` is the cursor of the next one, or null */
async function findRunning({ db }: ConsoleServices, { after }: z.output<typeof LobbiesQuery>) {
  const [startedAt, id] = after ?? [];
  const rows = await db.lobby.findMany({
    where: {
      status: 'running',
      // A running lobby's `activeAt` is the time of its start.
      ...(startedAt && { activeAt: { gte: startedAt }, NOT: { activeAt: startedAt, id: { lte: id as string } } }),
    },
    select: { id: true, code: true, playerCount: true, capacity: true, activeAt: true },
    orderBy: [{ activeAt: 'asc' }, { id: 'asc' }],
    take: PAGE_SIZE + 1,
  });
  return timeCursor.toPage(rows, PAGE_SIZE, (last) => [last.activeAt.toISOString(), last.id]);
}

/** The longest address, in UTF-16 units; RFC 5321, section 4.5.3.1. */
const EMAIL_MAX = 254;
const Form = z.object({ email: z.string().trim().min(1).max(EMAIL_MAX) });

const FIND_FORM = html`<form method="post" action="/console/accounts">
<label>Email address <input type="email" name="email" required maxlength="${EMAIL_MAX}" autocomplete="off"></label>
<button>Find</button>
</form>`;

const LABELS: Record<OperatorActionName, string> = {
  'sign-out': 'End all sessions',
  'reset-second-factor': 'Remove the second factor, and tell the owner by mail',
  delete: 'Delete the account for good',
};

function registerAccounts(app: FastifyInstance, deps: ConsoleServices): void {
  // It imports the packages behind accounts, which a worker loads with the console alone.
  const auditLog = createAuditLog(deps.logger, deps.config.auth.secret);
  const send = (reply: FastifyReply, content: Html | '', status = 200) =>
    sendPage(reply, 'Accounts', html`${FIND_FORM}${content}`, { status });

  app.get('/console/accounts', (_request, reply) => send(reply, ''));

  // Without an action it finds the account. The address is in the body, since addresses of pages end up in histories.
  app.post('/console/accounts/:action?', async (request, reply) => {
    const { action } = request.params as { action?: string };
    if (action !== undefined && !isOperatorAction(action)) return reply.callNotFound();
    const form = Form.safeParse(request.body);
    const user = form.data && (await findUser(deps.db, form.data.email));
    if (!user) return send(reply, html`<p role="alert">No account has this address.</p>`, 404);
    if (!action) return send(reply, html`<h2>${user.email}</h2><p>Id ${user.id}</p>${actions(user)}`);
    const operator = operatorOf(request.raw);
    const audit: AuditLog = (event, outcome, details) => auditLog(event, outcome, { ...details, operator });
    const done = await OPERATOR_ACTIONS[action]({ ...deps, audit }, user);
    return send(reply, html`<p role="status">${user.email}: ${done}</p>`);
  });
}

function actions({ email }: { email: string }): Html {
  const forms = Object.entries(LABELS).map(
    ([name, label]) => html`<form method="post" action="/console/accounts/${name}">
<input type="hidden" name="email" value="${email}">
<button>${label}</button>
</form>`,
  );
  return html`<div class="actions">${forms}</div>`;
}
