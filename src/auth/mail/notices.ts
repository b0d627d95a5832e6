// Notices by email to an account's owner about changes of the account. They have no budget, since an intruder could
// use that up before the change. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import type { MailQueue } from './mail-queue.ts';
import type { Notice } from './notice-emails.ts';

const NOTICES: Record<string, Notice> = {
  '/change-password': 'password-changed',
  '/two-factor/verify-totp': 'second-factor-on',
  '/two-factor/disable': 'second-factor-off',
  '/two-factor/generate-backup-codes': 'backup-codes-renewed',
  '/passkey/verify-registration': 'passkey-added',
  '/passkey/delete-passkey': 'passkey-removed',
};

export function notices(mailQueue: MailQueue): BetterAuthPlugin {
  async function tell({ context, path }: HookContext): Promise<void> {
    const { newSession, returned, session } = context;
    const notice = NOTICES[path];
    if (!notice || !session || isAPIError(returned)) return;
    // A code turns the second factor on if it gives a new session to a signed-in user.
    if (notice === 'second-factor-on' && !newSession) return;
    await sendNotice(mailQueue, notice, session.user.email);
  }

  return { id: 'notices', hooks: { after: [hook(tell, ...Object.keys(NOTICES))] } };
}

/** Queues the notice. If that fails, the change stays in force and the queue logs the failure. */
export async function sendNotice(mailQueue: MailQueue, notice: Notice, email: string): Promise<void> {
  await mailQueue.ask({ kind: notice, to: email.toLowerCase() }).catch(() => {});
}
