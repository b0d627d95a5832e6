// The actions of an operator on an account, for the command `accounts` and for the console. Each action can be repeated,
// and is one line of the audit log.
import { type DeletionDeps, deleteAccount } from './delete-account.ts';
import { type ResetDeps, resetSecondFactor } from './reset-second-factor.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

export type OperatorDeps = DeletionDeps & ResetDeps;

/** Does it, and returns what was done as a sentence. */
type OperatorAction = (deps: OperatorDeps, user: { id: string; email: string }) => Promise<string>;

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
