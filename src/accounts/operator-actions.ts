// The actions of an operator on an account, for the command `operate` and for the console. Each action can be repeated,
// and is one line of the audit log.
import type { AuditLog } from '../auth/audit.ts';
import type { Services } from '../services.ts';
import { type DeletionServices, deleteAccount } from './delete-account.ts';
import { signOutEverywhere } from './store.ts';

type OperatorServices = DeletionServices & Pick<Services, 'mailQueue'> & { audit: AuditLog };
/** Returns what was done as a sentence. */
type OperatorAction = (deps: OperatorServices, user: { id: string; email: string }) => Promise<string>;

export const OPERATOR_ACTIONS = {
  async 'sign-out'(deps, { id: userId }) {
    const ended = await signOutEverywhere(deps, userId);
    deps.audit('sign-out', 'done', { userId, reason: 'BY_OPERATOR' });
    return `Signed out: ${ended} session(s).`;
  },
  /** A repeated call sends the mail again. If the mail can't be queued, nothing is done. */
  async 'reset-second-factor'(deps, { id: userId, email }) {
    const { audit, db, mailQueue } = deps;
    if (!(await db.twoFactor.count({ where: { userId } }))) return 'There is no second factor.';
    // The mail is queued first, so that a crash does not leave the owner without it.
    await mailQueue.ask({ kind: 'second-factor-reset', to: email });
    await signOutEverywhere(deps, userId);
    await db.$transaction([
      db.twoFactor.deleteMany({ where: { userId } }),
      db.user.updateMany({ where: { id: userId }, data: { twoFactorEnabled: false } }),
    ]);
    // Sign-ins that wait for a code end as well.
    await signOutEverywhere(deps, userId);
    audit('second-factor-change', 'done', { userId, reason: 'BY_OPERATOR' });
    return 'Removed; all sessions have ended.';
  },
  async delete(deps, { id: userId }) {
    await deleteAccount(deps, userId);
    deps.audit('account-deletion', 'done', { userId, reason: 'BY_OPERATOR' });
    return 'Deleted.';
  },
} satisfies Record<string, OperatorAction>;

export type OperatorActionName = keyof typeof OPERATOR_ACTIONS;

export const isOperatorAction = (name: string): name is OperatorActionName => Object.hasOwn(OPERATOR_ACTIONS, name);
