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

/** @returns the endpoints that send a link, whose replies don't tell whether they do */
export function askingEndpoints({ db, mailQueue }: Pick<Services, 'db' | 'mailQueue'>) {
  async function ask(request: Pick<MailRequest, 'kind' | 'leadsTo'>, context: Asked & { body: { email: string } }) {
    // The request fails if its link can't be made.
    await noteOutage(() => db.$queryRaw`SELECT 1`);
    const to = context.body.email.toLowerCase();
    await noteOutage(() => mailQueue.ask({ ...request, to, ...languageIn(context) }));
  }

  return {
    requestPasswordReset: createAuthEndpoint('/request-password-reset', optionsWith('redirectTo'), async (context) => {
      await ask({ kind: 'password-reset', leadsTo: context.body.redirectTo }, context);
      const message = 'If this email exists in our system, check your email for the reset link';
      return context.json({ status: true, message });
    }),
    sendVerificationEmail: createAuthEndpoint(
      '/send-verification-email',
      optionsWith('callbackURL'),
      async (context) => {
        await ask({ kind: 'verification', leadsTo: context.body.callbackURL }, context);
        return context.json({ status: true });
      },
    ),
  };
}

/** @param target the field with the page to which the link leads in the end */
function optionsWith<Target extends string>(target: Target) {
  const page = { [target]: z.string().optional() } as Record<Target, z.ZodOptional<z.ZodString>>;
  const body = z.object({ email: z.email(), ...page });
  return { method: 'POST' as const, body, use: [originCheck((context) => context.body[target])] };
}

/** The request that a mail answers. */
interface Asked {
  headers?: Headers | undefined;
}

/** @returns the language of the request's browser, where it names any */
const languageIn = (asked: Asked | undefined) => ({ language: wantedLanguage(asked?.headers?.get('accept-language')) });

/**
 * Implements `sendVerificationEmail`, which better-auth calls after a sign-in to an unconfirmed account.
 * @param mail.url better-auth's own link. The worker makes another one with the same target
 * @param request the sign-in, in whose browser the link confirms directly
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
    const { newSession, returned, session } = hookContext.context;
    const notice = NOTICES[hookContext.path];
    if (!notice || !session || isAPIError(returned)) return;
    // A code turns the second factor on if it gives a new session to a signed-in user.
    if (notice === 'second-factor-on' && !newSession) return;
    await sendNotice(mailQueue, notice, session.user.email, hookContext);
  }

  return { id: 'notices', hooks: { after: [hook(tell, ...Object.keys(NOTICES))] } };
}

/** If the notice can't be queued, the change stays in force and the queue logs the failure. */
export function sendNotice(mailQueue: MailQueue, kind: Notice, email: string, asked?: Asked): Promise<void> {
  return mailQueue.ask({ kind, to: email.toLowerCase(), ...languageIn(asked) }).catch(() => {});
}
