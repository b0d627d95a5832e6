// Removes the second factor of an account whose owner has lost the app and the backup codes. The operator has
// to verify that the request comes from the owner.
import type { AuditLog } from '../auth/audit.ts';
import type { MailQueue } from '../auth/mail/mail-queue.ts';
import { type SignOutDeps, signOutEverywhere } from './sign-out-everywhere.ts';
import { removeSecondFactor } from './store.ts';

export interface ResetDeps extends SignOutDeps {
  mailQueue: MailQueue;
  audit: AuditLog;
}

/**
 * Removes the second factor, ends all sessions, and notifies the owner by mail. A repeated call sends the mail
 * again.
 * @returns whether there was a second factor; without one nothing is done
 * @throws AppError UNAVAILABLE if the mail can't be queued; then nothing is done
 */
export async function resetSecondFactor(
  deps: ResetDeps,
  { id: userId, email }: { id: string; email: string },
): Promise<boolean> {
  const { audit, db, mailQueue } = deps;
  if (!(await db.twoFactor.count({ where: { userId } }))) return false;
  // The mail is queued first, so that a crash does not leave the owner without it.
  await mailQueue.ask({ kind: 'second-factor-reset', to: email });
  await signOutEverywhere(deps, userId);
  await removeSecondFactor(db, userId);
  // Sign-ins that wait for a code end as well.
  await signOutEverywhere(deps, userId);
  audit('second-factor-change', 'done', { userId, reason: 'BY_OPERATOR' });
  return true;
}
