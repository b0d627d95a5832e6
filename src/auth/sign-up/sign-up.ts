// The endpoints for sign-up, confirmation and reset by email, in better-auth's format. A request for a mail does the
// same work and gets the same reply whether or not there is such an account. A GET of a link changes something only in
// the browser that has signed up, since mail scanners and others open links too; in any other one a POST confirms the
// address, or sets a new password. If the page is off, an HTML form replaces it. [contract 17]
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware, isAPIError, originCheck } from 'better-auth/api';
import { z } from 'zod';
import { PAGE_LANGUAGES } from '../../names/languages.ts';
import type { Services } from '../../services.ts';
import type { AccountStores } from '../device-trust.ts';
import { checkLength, checkPassword, MAX_PASSWORD_LENGTH } from '../input/input-rules.ts';
import { languageOf } from '../mail/ask-for-mail.ts';
import { escapeHtml, fillTemplate } from '../mail/emails.ts';
import type { MailRequest } from '../mail/mail-queue.ts';
import type { PasswordHash } from '../password-hash.ts';
import { type HookContext, hook, refusal } from '../plugins/auth-hooks.ts';
import { noteOutage } from '../store-failures.ts';
import { type Answer, addClaim, confirmByLink, confirmByReset, ownerOfReset } from './confirm.ts';
import * as links from './links.ts';

export interface SignUpServices extends AccountStores, Pick<Services, 'mailQueue'> {
  publicUrl: string;
  hasPage: boolean;
  passwordHash: PasswordHash;
  /** Is called after a password that was chosen by a link is stored. */
  onReset(reset: { userId: string; email: string; headers: Headers | undefined }): Promise<void>;
}

export function signUpPlugin(deps: SignUpServices) {
  return {
    id: 'sign-up',
    endpoints: {
      signUpEmail: signUpEndpoint(deps),
      verifyEmail: openLinkEndpoint(deps),
      confirmEmailByPassword: confirmLinkEndpoint(deps),
      confirmEmailByChoice: chooseByLinkEndpoint(deps),
      requestPasswordResetCallback: openResetLinkEndpoint(deps),
      resetPassword: resetPasswordEndpoint(deps),
      requestPasswordReset: askEndpoint(deps, 'password-reset', '/request-password-reset', 'redirectTo', {
        message: 'If this email exists in our system, check your email for the reset link',
      }),
      sendVerificationEmail: askEndpoint(deps, 'verification', '/send-verification-email', 'callbackURL'),
    },
    hooks: { after: [hook(markSocialSignUp, '/sign-in/social')] },
  };
}

/** @returns a plugin that refuses every sign-up by email, whatever its body is [contract 22] */
export function signUpOff(): BetterAuthPlugin {
  const refuse = () => Promise.reject(refusal('FORBIDDEN', 'SIGN_UP_DISABLED', 'Nobody can sign up by email here'));
  return { id: 'sign-up-off', hooks: { before: [hook(refuse, '/sign-up/email')] } };
}

/** Marks the browser that brings an unverified address from a provider, so that the link confirms it there. */
async function markSocialSignUp(hookContext: HookContext): Promise<void> {
  if (!isAPIError(hookContext.context.returned)) links.markBrowser(hookContext);
}

/** @returns the options of a POST that a form may send, too */
const ofForm = <Body extends z.ZodObject>(body: Body) => ({
  method: 'POST' as const,
  use: [formCsrfMiddleware],
  body,
  metadata: { allowedMediaTypes: ['application/x-www-form-urlencoded', 'application/json'] },
});

/** Bodies may have other fields, which are ignored, as better-auth does. */
const Body = z.object({
  name: z.string(),
  email: z.email(),
  password: z.string().nonempty(),
  image: z.string().nullish(),
  callbackURL: z.string().optional(),
  language: z.enum(PAGE_LANGUAGES).optional(),
});

function signUpEndpoint({ db, mailQueue, passwordHash }: SignUpServices) {
  return createAuthEndpoint('/sign-up/email', ofForm(Body), async (context) => {
    const { name, password, image = null, callbackURL, language = languageOf(context) } = context.body;
    const email = context.body.email.toLowerCase();
    checkLength(password);
    const hash = await passwordHash.hashForAddress(email, password, context.context.secret);
    const browserHash = links.markBrowser(context);
    const claim = { email, name, image, password: hash, browserHash, language: language ?? null };
    const signUpId = await noteOutage(() => addClaim(db, claim));
    await noteOutage(() => mailQueue.ask({ kind: 'sign-up', to: email, signUpId, leadsTo: callbackURL, language }));
    // The reply's user is made up each time, and has nothing of an existing account.
    const now = new Date();
    const user = { id: randomUUID(), name, email, image, emailVerified: false, createdAt: now, updatedAt: now };
    return context.json({ token: null, user });
  });
}

/**
 * @param target the field with the page to which the link leads in the end
 * @returns an endpoint that sends a link. A worker looks the account up, so that neither the reply nor its time reveals
 *   whether there is one
 */
function askEndpoint<Path extends string>(
  { db, mailQueue }: SignUpServices,
  kind: MailRequest['kind'],
  path: Path,
  target: string,
  more: { message?: string } = {},
) {
  const body = z.object({ email: z.email(), [target]: z.string().optional() });
  const use = [originCheck((context) => context.body[target])];
  return createAuthEndpoint(path, { method: 'POST', body, use }, async (context) => {
    // The request fails if its link can't be made.
    await noteOutage(() => db.$queryRaw`SELECT 1`);
    const { email, [target]: leadsTo } = context.body as { email: string } & Record<string, string | undefined>;
    await noteOutage(() => mailQueue.ask({ kind, to: email.toLowerCase(), leadsTo, language: languageOf(context) }));
    return context.json({ status: true, ...more });
  });
}

/** Checks the page to which a link's own address leads. */
const checkCallback = originCheck((context) => context.query.callbackURL);

function openLinkEndpoint(deps: SignUpServices) {
  const { publicUrl, hasPage } = deps;
  const query = z.object({ token: z.string(), callbackURL: z.string().optional() });
  return createAuthEndpoint('/verify-email', { method: 'GET', query, use: [checkCallback] }, async (context) => {
    const { token, callbackURL } = context.query;
    const { baseURL, secret } = context.context;
    const link = await links.readLink(token, secret);
    const browser = { kind: 'browser', hash: links.browserHashOf(context.headers) } as const;
    const outcome = link ? await confirmByLink(deps, link, browser) : 'ended';
    if (outcome === 'unanswered') {
      const answered = hasPage ? `${publicUrl}/verify` : `${baseURL}${links.FORM_PATH}`;
      throw context.redirect(links.withQuery(answered, { token }));
    }
    const leadsTo = callbackURL ?? (await links.whereItLeads(context, token));
    if (outcome === 'ended') {
      const wantsPage = hasPage && /\btext\/html\b/i.test(context.headers?.get('accept') ?? '');
      const end = leadsTo ?? (wantsPage && `${publicUrl}/verified`);
      if (!end) throw invalidLink();
      throw context.redirect(links.withQuery(end, { error: 'INVALID_TOKEN' }));
    }
    if (leadsTo) throw context.redirect(leadsTo);
    return context.json({ status: true, user: null });
  });
}

const token = z.string().max(links.MAX_TOKEN_LENGTH);

function confirmLinkEndpoint(deps: SignUpServices) {
  const body = z.object({ token, password: z.string().max(MAX_PASSWORD_LENGTH) });
  return createAuthEndpoint(links.CONFIRM_PATH, ofForm(body), async (context) => {
    const { password } = context.body;
    const link = await links.readLink(context.body.token, context.context.secret);
    if (!link) throw invalidLink();
    const hashOf = (secret: string) => deps.passwordHash.hashForAddress(link.email, password, secret);
    const hashes = await Promise.all(secretsOf(context).map(hashOf));
    return answerLink(context, deps, link, { kind: 'password', hashes });
  });
}

/** @returns all secrets that may have salted a sign-up's password, also those from before a rotation */
function secretsOf({ context: { secret, secretConfig } }: GenericEndpointContext): string[] {
  if (typeof secretConfig === 'string') return [secret];
  const { keys, legacySecret = secret } = secretConfig;
  return [...new Set([secret, ...keys.values(), legacySecret])];
}

function chooseByLinkEndpoint(deps: SignUpServices) {
  const body = z.object({ token, newPassword: z.string(), name: z.string().optional() });
  return createAuthEndpoint(links.CHOOSE_PATH, ofForm(body), async (context) => {
    const { internalAdapter, secret } = context.context;
    const { newPassword, name } = context.body;
    checkLength(newPassword);
    const link = await links.readLink(context.body.token, secret);
    const user = link && (await internalAdapter.findUserById(link.userId));
    if (!link || !user) throw invalidLink();
    checkPassword(newPassword, { email: user.email, name: name ?? user.name });
    const hash = await deps.passwordHash.hash(newPassword);
    const answered = await answerLink(context, deps, link, { kind: 'choice', hash, name });
    await deps.onReset({ userId: link.userId, email: link.email, headers: context.headers });
    return answered;
  });
}

async function answerLink(context: GenericEndpointContext, deps: AccountStores, link: links.Link, answer: Answer) {
  const outcome = await confirmByLink(deps, link, answer);
  if (outcome === 'ended') throw invalidLink();
  if (outcome === 'unanswered') throw refusal('UNAUTHORIZED', 'INVALID_PASSWORD', 'Invalid password');
  const url = await links.whereItLeads(context, context.body.token);
  return context.json({ status: true, ...(url && { url }) });
}

/** Redirects to the page where the password is chosen, and changes nothing. */
function openResetLinkEndpoint({ db, publicUrl }: SignUpServices) {
  const query = z.object({ callbackURL: z.string().optional() });
  const options = { method: 'GET' as const, query, use: [checkCallback] };
  return createAuthEndpoint('/reset-password/:token', options, async (context) => {
    const { token } = context.params;
    const asked = context.query.callbackURL || (await links.whereItLeads(context, token));
    const isAlive = (await noteOutage(() => ownerOfReset(db, token))) !== undefined;
    const query: Record<string, string> = isAlive ? { token } : { error: 'INVALID_TOKEN' };
    throw context.redirect(links.withQuery(asked ?? `${publicUrl}/reset-password`, query));
  });
}

function resetPasswordEndpoint(deps: SignUpServices) {
  const body = z.object({ newPassword: z.string(), token: z.string().optional() });
  const query = z.object({ token: z.string().optional() }).optional();
  return createAuthEndpoint('/reset-password', { method: 'POST', body, query }, async (context) => {
    const token = context.body.token || context.query?.token;
    if (!token) throw invalidLink('BAD_REQUEST');
    const { newPassword } = context.body;
    checkLength(newPassword);
    // An invalid link is refused before the expensive hash.
    if (!(await noteOutage(() => ownerOfReset(deps.db, token)))) throw invalidLink('BAD_REQUEST');
    const user = await confirmByReset(deps, token, await deps.passwordHash.hash(newPassword));
    if (!user) throw invalidLink('BAD_REQUEST');
    // Concurrent sign-ins with the old password may have created sessions.
    await context.context.internalAdapter.deleteUserSessions(user.id);
    await deps.onReset({ userId: user.id, email: user.email, headers: context.headers });
    return context.json({ status: true });
  });
}

/** The refusal of a link that is forged, expired or used: 401 for one that confirms, and 400 for one of a reset. */
const invalidLink = (status: 'UNAUTHORIZED' | 'BAD_REQUEST' = 'UNAUTHORIZED') =>
  refusal(status, 'INVALID_TOKEN', 'Invalid token');

const PAGE = readFileSync(new URL('page.html', import.meta.url), 'utf8');
const FORMS = readFileSync(new URL('forms.html', import.meta.url), 'utf8').trimEnd();

/** @returns a plugin; its hook has to run after those that read the operation's own response */
export function plainForm() {
  const hooks = { after: [hook(toHtml, links.CONFIRM_PATH, links.CHOOSE_PATH)] };
  return { id: 'plain-form', endpoints: { verifyEmailForm: formEndpoint() }, hooks } satisfies BetterAuthPlugin;
}

/** @returns the page that replaces the JSON response to a form; undefined keeps that to a program */
async function toHtml({ body, context: { returned }, headers }: HookContext): Promise<Response | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers?.get('content-type') ?? '')) return undefined;
  if (isAPIError(returned)) {
    const { statusCode, message } = returned;
    return html(`<p role="alert">${escapeHtml(message)}.</p>\n${fillTemplate(FORMS, body)}`, statusCode);
  }
  const { url } = returned as { url?: string };
  const next = url ? `<p><a href="${escapeHtml(url)}">Go on</a></p>` : '';
  return html(`<p role="status">Your address is confirmed. You can sign in now.</p>${next}`);
}

function formEndpoint() {
  const query = z.object({ token: z.string().max(links.MAX_TOKEN_LENGTH) });
  return createAuthEndpoint(links.FORM_PATH, { method: 'GET', query }, async (context) => {
    const { token } = context.query;
    if (!(await links.readLink(token, context.context.secret)))
      return html('<p role="alert">This link is too old. Ask for a new one.</p>', 401);
    return html(`
<p>This is not the browser in which you signed up. So that nobody else’s account gets your address, give the password that you chose at the sign-up, or choose a new one. Did you not sign up? Then do nothing.</p>

${fillTemplate(FORMS, { token })}`);
  });
}

function html(content: string, status = 200): Response {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return new Response(fillTemplate(PAGE, { content }), { status, headers });
}
