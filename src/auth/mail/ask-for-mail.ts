// Queues requests for emails: the link that a sign-in to an unconfirmed account sends, and the notices to an account's
// owner about changes. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { wantedLanguage } from '../../names/wanted-language.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { browserHashOf } from '../sign-up/links.ts';
import { noteOutage } from '../store-failures.ts';
import type { Notice } from './emails.ts';
import type { MailQueue } from './mail-queue.ts';

type Asked = Pick<HookContext, 'headers'>;

/** @returns the language of the request's browser, where it names any */
export const languageOf = (asked: Asked | undefined) => wantedLanguage(asked?.headers?.get('accept-language'));

/**
 * Implements `sendVerificationEmail`. The worker makes another link than better-auth's, with the same target, which
 * confirms directly in the browser of the sign-in.
 */
export function askAsBetterAuth(mailQueue: MailQueue, email: string, url: string, request?: Request): Promise<void> {
  const leadsTo = new URL(url).searchParams.get('callbackURL') ?? undefined;
  const askedBy = browserHashOf(request?.headers) ?? undefined;
  const asked = { to: email.toLowerCase(), leadsTo, askedBy, language: languageOf(request) };
  return noteOutage(() => mailQueue.ask({ kind: 'verification', ...asked }));
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
  return mailQueue.ask({ kind, to: email.toLowerCase(), language: languageOf(asked) }).catch(() => {});
}
