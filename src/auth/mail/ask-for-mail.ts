// Queues requests for emails: those of the endpoints that a client calls for a link, and the notices to an account's
// owner about changes. A request is queued without looking at accounts, and a worker decides who gets an email, so that
// neither a reply nor its time reveals whether there is an account. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, isAPIError, originCheck } from 'better-auth/api';
import { z } from 'zod';
import { wantedLanguage } from '../../names/wanted-language.ts';
import type { Services } from '../../services.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { browserHashOf } from '../sign-up/links.ts';
import { noteOutage } from '../store-failures.ts';
import type { Notice } from './emails.ts';
import type { MailQueue, MailRequest } from './mail-queue.ts';

export function passwordResetEndpoint(deps: Pick<Services, 'db' | 'mailQueue'>) {
  return createAuthEndpoint(
    '/request-password-reset',
    {
      method: 'POST',
      body: z.object({ email: z.email(), redirectTo: z.string().optional() }),
      use: [originCheck(({ body }) => body.redirectTo)],
    },
    async (context) => {
      const { email, redirectTo } = context.body;
      await ask(deps, { kind: 'password-reset', to: email, leadsTo: redirectTo, ...languageIn(context) });
      return context.json({
        status: true,
        message: 'If this email exists in our system, check your email for the reset link',
      });
    },
  );
}

export function verificationEndpoint(deps: Pick<Services, 'db' | 'mailQueue'>) {
  return createAuthEndpoint(
    '/send-verification-email',
    {
      method: 'POST',
      body: z.object({ email: z.email(), callbackURL: z.string().optional() }),
      use: [originCheck(({ body }) => body.callbackURL)],
    },
    async (context) => {
      const { email, callbackURL } = context.body;
      await ask(deps, { kind: 'verification', to: email, leadsTo: callbackURL, ...languageIn(context) });
      return context.json({ status: true });
    },
  );
}

async function ask({ db, mailQueue }: Pick<Services, 'db' | 'mailQueue'>, request: MailRequest): Promise<void> {
  // The request fails if its link can't be made.
  await noteOutage(() => db.$queryRaw`SELECT 1`);
  await noteOutage(() => mailQueue.ask({ ...request, to: request.to.toLowerCase() }));
}

/** The request that a mail answers. */
type Asked = { headers?: Headers | undefined } | undefined;

/** @returns the language of the request's browser, where it names any */
const languageIn = (asked: Asked) => ({ language: wantedLanguage(asked?.headers?.get('accept-language')) });

/**
 * Implements `sendVerificationEmail`, which better-auth calls after a sign-in to an unconfirmed account.
 * @param mail.url better-auth's own link. The worker makes another one with the same target
 * @param request the sign-in; the link confirms directly in its browser
 */
export function askAsBetterAuth(
  mailQueue: MailQueue,
  mail: { user: { email: string }; url: string },
  request: Request | undefined,
): Promise<void> {
  const leadsTo = new URL(mail.url).searchParams.get('callbackURL') ?? undefined;
  const askedBy = browserHashOf(request?.headers) ?? undefined;
  const to = mail.user.email.toLowerCase();
  return noteOutage(() => mailQueue.ask({ kind: 'verification', to, leadsTo, askedBy, ...languageIn(request) }));
}

const NOTICES: Record<string, Notice> = {
  '/change-password': 'password-changed',
  '/two-factor/verify-totp': 'second-factor-on',
  '/two-factor/disable': 'second-factor-off',
  '/two-factor/generate-backup-codes': 'backup-codes-renewed',
  '/passkey/verify-registration': 'passkey-added',
  '/passkey/delete-passkey': 'passkey-removed',
};

export function notices(mailQueue: MailQueue): BetterAuthPlugin {
  async function tell(hookContext: HookContext): Promise<void> {
    const { context, path } = hookContext;
    const { newSession, returned, session } = context;
    const notice = NOTICES[path];
    if (!notice || !session || isAPIError(returned)) return;
    // A code turns the second factor on if it gives a new session to a signed-in user.
    if (notice === 'second-factor-on' && !newSession) return;
    await sendNotice(mailQueue, notice, session.user.email, hookContext);
  }

  return { id: 'notices', hooks: { after: [hook(tell, ...Object.keys(NOTICES))] } };
}

/** Queues the notice. If that fails, the change stays in force and the queue logs the failure. */
export async function sendNotice(mailQueue: MailQueue, notice: Notice, email: string, asked?: Asked): Promise<void> {
  await mailQueue.ask({ kind: notice, to: email.toLowerCase(), ...languageIn(asked) }).catch(() => {});
}
