// The pages of the running lobbies, and of one lobby's history, which `npm run operate -- inspect` prints too.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseCode } from '../lobby/rules.ts';
import { checkRound, readHead } from '../match/store.ts';
import { timeCursor } from '../platform/page-cursor.ts';
import { reportLobby } from '../tools/operate/lobby-report.ts';
import type { ConsoleServices } from './console.ts';
import { html, sendPage, span, table } from './html.ts';

const CODE_RULE = 'A lobby code has six letters and digits';

export function registerLobbies(app: FastifyInstance, deps: ConsoleServices): void {
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
