// The operations that verify a code of a second factor, and the user of such a request.
import { getSessionFromCtx } from 'better-auth/api';
import type { HookContext } from '../plugins/auth-hooks.ts';

export const VERIFY_TOTP = '/two-factor/verify-totp';
export const VERIFY_BACKUP_CODE = '/two-factor/verify-backup-code';
export const CODE_PATHS = [VERIFY_TOTP, VERIFY_BACKUP_CODE];

/** better-auth's cookie of a sign-in that awaits a code. */
const HALF_WAY_COOKIE = 'two_factor';

/** @returns the id of the user whose code the request gives, or undefined if none will be verified */
export async function ownerOfCode(hookContext: HookContext): Promise<string | undefined> {
  const found = await getSessionFromCtx(hookContext, { disableRefresh: true });
  if (found) return found.user.id;
  const { context } = hookContext;
  const { name } = context.createAuthCookie(HALF_WAY_COOKIE);
  const challenge = await hookContext.getSignedCookie(name, context.secret);
  if (!challenge) return undefined;
  return (await context.internalAdapter.findVerificationValue(challenge))?.value;
}
