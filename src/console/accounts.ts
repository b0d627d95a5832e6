// The page on which an operator finds an account, and then acts on it. Everything that it can do, the command
// `npm run operate` can do too.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { isOperatorAction, OPERATOR_ACTIONS, type OperatorActionName } from '../accounts/operator-actions.ts';
import { findUser } from '../accounts/store.ts';
import { type AuditLog, createAuditLog } from '../auth/audit.ts';
import { type ConsoleServices, operatorOf } from './console.ts';
import { type Html, html, sendPage } from './html.ts';

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

export function registerAccounts(app: FastifyInstance, deps: ConsoleServices): void {
  const auditLog = createAuditLog(deps.logger, deps.config.auth.secret);
  const send = (reply: FastifyReply, content: Html | '', status = 200) =>
    sendPage(reply, 'Accounts', html`${FIND_FORM}${content}`, { status });
  const sendUnknown = (reply: FastifyReply) => send(reply, html`<p role="alert">No account has this address.</p>`, 404);

  app.get('/console/accounts', (_request, reply) => send(reply, ''));

  // The address is in the body, since addresses of pages end up in histories.
  app.post('/console/accounts', async (request, reply) => {
    const form = Form.safeParse(request.body);
    const user = form.data && (await findUser(deps.db, form.data.email));
    if (!user) return sendUnknown(reply);
    return send(reply, html`<h2>${user.email}</h2><p>Id ${user.id}</p>${actions(user)}`);
  });

  app.post('/console/accounts/:action', async (request, reply) => {
    const { action } = request.params as { action: string };
    const form = Form.safeParse(request.body);
    if (!isOperatorAction(action) || !form.success) return reply.callNotFound();
    const user = await findUser(deps.db, form.data.email);
    if (!user) return sendUnknown(reply);
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
