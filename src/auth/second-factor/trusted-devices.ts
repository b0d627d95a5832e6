// Trusted devices, on which a sign-in asks for no code for 30 days. All of a user's trusted devices are removed by
// every operation that ends sessions for security, and by each change of the second factor. Sign-ins that await a
// code are removed too, since their password may be the old one. [contract 17]
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { PENDING_SIGN_IN_PREFIX, TRUSTED_DEVICE_PREFIX } from '../plugins/better-auth-names.ts';
import { noteOutage } from '../store-failures.ts';
import { type CopyKeys, endVerifications } from '../verifications.ts';
import { CODE_PATHS } from './second-factor-codes.ts';

const SIGN_OUTS = ['/revoke-session', '/revoke-sessions', '/revoke-other-sessions'];

export interface TrustedDeviceDeps {
  db: Database;
  /** better-auth's secondary storage, which has copies of the records. */
  secondaryStorage: Pick<NonNullable<BetterAuthOptions['secondaryStorage']>, 'delete'>;
}

/** Removes a user's trusted devices within a transaction. @returns the keys of the copies to delete afterwards */
export function endTrust(
  tx: Pick<Prisma.TransactionClient, 'verification'>,
  userId: string,
): Promise<CopyKeys> {
  return endVerifications(tx, userId, [TRUSTED_DEVICE_PREFIX, PENDING_SIGN_IN_PREFIX]);
}

/** Removes a user's trusted devices in one statement of its own. @returns as `endTrust` */
export async function forgetDevices(deps: TrustedDeviceDeps, userId: string): Promise<void> {
  for (const key of await noteOutage(() => endTrust(deps.db, userId)))
    await deps.secondaryStorage.delete(key);
}

/** Removes a user's trusted devices and their copies. */
export type RemoveTrust = (userId: string) => Promise<void>;

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

  async function forgetLate({
    context: { internalAdapter, newSession },
  }: HookContext): Promise<void> {
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
