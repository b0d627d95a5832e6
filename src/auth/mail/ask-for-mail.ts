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

const RESET_REPLY = {
  status: true,
  message: 'If this email exists in our system, check your email for the reset link',
};

export const passwordResetEndpoint = (deps: MailServices) =>
  linkEndpoint(deps, 'password-reset', '/request-password-reset', 'redirectTo', RESET_REPLY);

export const verificationEndpoint = (deps: MailServices) =>
  linkEndpoint(deps, 'verification', '/send-verification-email', 'callbackURL', { status: true });

type MailServices = Pick<Services, 'db' | 'mailQueue'>;

/** The fields of both bodies; other fields are ignored, as better-auth does. */
const Fields = { email: z.email(), redirectTo: z.string().optional(), callbackURL: z.string().optional() };

/** @param target the field of the body that has the page to which the link redirects in the end */
function linkEndpoint<const Path extends string>(
  { db, mailQueue }: MailServices,
  kind: MailRequest['kind'],
  path: Path,
  target: 'redirectTo' | 'callbackURL',
  reply: object,
) {
  const body = z.object(Fields).pick({ email: true, [target]: true } as Record<keyof typeof Fields, true>);
  return createAuthEndpoint(
    path,
    { method: 'POST', body, use: [originCheck(({ body }) => body[target])] },
    async (context) => {
      const { email, [target]: leadsTo } = context.body;
      // The request fails if its link can't be made.
      await noteOutage(() => db.$queryRaw`SELECT 1`);
      await noteOutage(() => mailQueue.ask({ kind, to: email.toLowerCase(), leadsTo, ...languageIn(context) }));
      return context.json(reply);
    },
  );
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
