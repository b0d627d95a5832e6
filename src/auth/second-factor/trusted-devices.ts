// Trusted devices, on which a sign-in asks for no code for 30 days. All of a user's trusted devices are removed by
// every operation that ends sessions for security, and by each change of the second factor. Sign-ins that await a
// code are removed too, since their password may be the old one. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import type { RemoveTrust } from './device-trust.ts';
import { CODE_PATHS } from './second-factor-codes.ts';

const SIGN_OUTS = ['/revoke-session', '/revoke-sessions', '/revoke-other-sessions'];

/**
 * @returns a plugin that has to run after better-auth's second factor, which renews a device's trust at each sign-in.
 * If a concurrent operation has ended the session of this sign-in, the plugin also removes the trust that it has just
 * renewed. So operations that end sessions remove trusted devices before and after.
 */
export function trustedDevices(forget: RemoveTrust): BetterAuthPlugin {
  async function forgetBefore(hookContext: HookContext): Promise<void> {
    const userId = (await getSessionFromCtx(hookContext, { disableRefresh: true }))?.user.id;
    if (userId) await forget(userId);
  }

  async function forgetAfter({ context: { returned, session } }: HookContext): Promise<void> {
    if (session && !isAPIError(returned)) await forget(session.user.id);
  }

  async function forgetLate({ context: { internalAdapter, newSession } }: HookContext): Promise<void> {
    if (!newSession?.user.twoFactorEnabled) return;
    const { session, user } = newSession;
    if (!(await internalAdapter.findSession(session.token))) await forget(user.id);
  }

  return {
    id: 'trusted-devices',
    hooks: {
      before: [hook(forgetBefore, ...SIGN_OUTS)],
      after: [
        hook(forgetLate, '/sign-in/email', ...CODE_PATHS),
        // A signed-in user gives a code only to set the second factor up.
        hook(forgetAfter, '/two-factor/disable', ...CODE_PATHS, ...SIGN_OUTS),
      ],
    },
  };
}
