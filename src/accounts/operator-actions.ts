// The actions of an operator on an account, for the command `operate` and for the console. Each action can be repeated,
// and is one line of the audit log.
import type { AuditLog } from '../auth/audit.ts';
import type { Services } from '../services.ts';
import { type DeletionServices, deleteAccount } from './delete-account.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';
import { removeSecondFactor } from './store.ts';

type OperatorServices = DeletionServices & Pick<Services, 'mailQueue'> & { audit: AuditLog };

/** Does it, and returns what was done as a sentence. */
type OperatorAction = (deps: OperatorServices, user: { id: string; email: string }) => Promise<string>;

const BY_OPERATOR = { reason: 'BY_OPERATOR' };

export const OPERATOR_ACTIONS = {
  async 'sign-out'(deps, { id: userId }) {
    const ended = await signOutEverywhere(deps, userId);
    deps.audit('sign-out', 'done', { userId, ...BY_OPERATOR });
    return `Signed out: ${ended} session(s).`;
  },
  async 'reset-second-factor'(deps, user) {
    const isReset = await resetSecondFactor(deps, user);
    return isReset ? 'Removed; all sessions have ended.' : 'There is no second factor.';
  },
  async delete(deps, { id: userId }) {
    await deleteAccount(deps, userId);
    deps.audit('account-deletion', 'done', { userId, ...BY_OPERATOR });
    return 'Deleted.';
  },
} satisfies Record<string, OperatorAction>;

export type OperatorActionName = keyof typeof OPERATOR_ACTIONS;

export function isOperatorAction(name: string): name is OperatorActionName {
  return Object.hasOwn(OPERATOR_ACTIONS, name);
}

/**
 * Removes the second factor, ends all sessions, and notifies the owner by mail. A repeated call sends the mail
 * again.
 * @returns whether there was a second factor; without one nothing is done
 * @throws AppError UNAVAILABLE if the mail can't be queued; then nothing is done
 */
async function resetSecondFactor(
  deps: OperatorServices,
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
