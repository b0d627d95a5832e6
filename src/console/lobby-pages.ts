// The pages of the running lobbies, and of one lobby's history, which `npm run inspect` prints too.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseCode } from '../lobby/rules.ts';
import { reportLobby } from '../tools/operate/lobby-report.ts';
import type { ConsoleDeps } from './deps.ts';
import { html, span, table } from './html.ts';
import { LobbiesQuery, listLobbies, type RunningLobby } from './lobbies.ts';
import { page } from './page.ts';

const CODE_RULE = 'A lobby code has six letters and digits';

export function registerLobbies(app: FastifyInstance, deps: ConsoleDeps): void {
  const send = (reply: FastifyReply, text: string, status = 200) =>
    reply.status(status).type('text/html; charset=utf-8').send(text);

  app.get('/console/lobbies', async (request, reply) => {
    const query = LobbiesQuery.safeParse(request.query);
    if (!query.success) return send(reply, page('No such page', html``), 400);
    const { lobbies, next } = await listLobbies(deps, query.data);
    const nowMs = deps.nowMs();
    const content = html`
${table(
  ['code', 'phase', 'players', 'runs for'],
  lobbies.map((lobby) => rowOf(lobby, nowMs)),
)}
${lobbies.length === 0 ? html`<p>None.</p>` : ''}
${next ? html`<p><a href="?after=${next}">More</a></p>` : ''}`;
    return send(reply, page('Running lobbies', content, true));
  });

  app.get('/console/find', (request, reply) => {
    const { code: text = '' } = request.query as { code?: string };
    const code = parseCode(String(text));
    if (!code) return send(reply, page(CODE_RULE, html``), 400);
    return reply.redirect(`/console/lobbies/${code}`, 303);
  });

  app.get('/console/lobbies/:code', async (request, reply) => {
    const code = parseCode((request.params as { code: string }).code);
    if (!code) return send(reply, page(CODE_RULE, html``), 404);
    const lines = await reportLobby(deps, code);
    if (!lines) return send(reply, page(`No lobby and no result has the code ${code}`, html``), 404);
    return send(reply, page(`Lobby ${code}`, html`<pre>${lines.join('\n')}</pre>`, true));
  });
}

function rowOf({ code, players, capacity, startedAt, head, progress }: RunningLobby, nowMs: number) {
  const phase = progress
    ? `round ${progress.round}, ${progress.answered} of ${progress.awaited} answered`
    : (head?.status ?? html`<span class="bad">Redis has no game of it</span>`);
  return [
    html`<a href="/console/lobbies/${code}">${code}</a>`,
    phase,
    `${players} of ${capacity}`,
    span((nowMs - startedAt.getTime()) / 1000),
  ];
}
