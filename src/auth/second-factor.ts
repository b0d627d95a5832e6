// The rules about second factors that better-auth lacks: guesses of codes are limited over all sign-ins, stored factors
// follow a rotation of the secret, and what ends sessions for security ends the trust in devices. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { BUDGETS } from '../budgets.ts';
import type { Logger } from '../platform/observability/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { limitHeaders, limitKey, overLimit } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { tryLimit } from './account-limit.ts';
import type { AuditLog } from './audit.ts';
import type { RemoveTrust } from './device-trust.ts';
import { type HookContext, hook, refusal, sessionOf } from './plugins/auth-hooks.ts';
import { noteOutage } from './store-failures.ts';

const VERIFY_TOTP = '/two-factor/verify-totp';
const VERIFY_BACKUP_CODE = '/two-factor/verify-backup-code';
const CODE_PATHS = [VERIFY_TOTP, VERIFY_BACKUP_CODE];
const SIGN_OUTS = ['/revoke-session', '/revoke-sessions', '/revoke-other-sessions'];
/** better-auth's cookie of a sign-in that awaits a code. */
const HALF_WAY_COOKIE = 'two_factor';
const WINDOW_MS = 15 * 60_000;

/** @returns the id of the user whose code the request gives, or undefined if none will be verified */
async function ownerOfCode(hookContext: HookContext): Promise<string | undefined> {
  const found = await sessionOf(hookContext);
  if (found) return found.user.id;
  const { createAuthCookie, internalAdapter, secret } = hookContext.context;
  const challenge = await hookContext.getSignedCookie(createAuthCookie(HALF_WAY_COOKIE).name, secret);
  return challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined;
}

export function secondFactorLimit(redis: RedisClient, audit: AuditLog): BetterAuthPlugin {
  const { max } = BUDGETS.secondFactorMisses;
  return tryLimit(redis, audit, {
    id: 'second-factor-limit',
    paths: CODE_PATHS,
    max,
    windowMs: WINDOW_MS,
    failures: ['INVALID_CODE', 'INVALID_BACKUP_CODE'],
    async find(hookContext) {
      const userId = await ownerOfCode(hookContext);
      return userId === undefined ? undefined : { key: limitKey('second_factor', userId), owner: { userId } };
    },
    /** It has better-auth's own error code, which its client knows. */
    refusal(waitMs) {
      const { message } = overLimit({ name: 'second_factor', what: 'wrong codes', max }, waitMs);
      const body = { code: 'ACCOUNT_TEMPORARILY_LOCKED', message };
      return new APIError('TOO_MANY_REQUESTS', body, limitHeaders({ max, waitMs }));
    },
  });
}

const FIELDS = ['secret', 'backupCodes'] as const;

/** The field that an operation of better-auth decrypts. */
const DECRYPTED: Record<string, (typeof FIELDS)[number]> = {
  [VERIFY_TOTP]: 'secret',
  '/two-factor/get-totp-uri': 'secret',
  [VERIFY_BACKUP_CODE]: 'backupCodes',
};

/** @returns a plugin; it has to run before the limit of codes, which counts no code that can't be verified */
export function secondFactorKeys(db: Database, logger: Logger, audit: AuditLog): BetterAuthPlugin {
  /** Refuses the request if the field's secret was retired, where better-auth would answer 500. */
  async function refuseUnreadable(hookContext: HookContext): Promise<void> {
    const { context, headers, path } = hookContext;
    const userId = await ownerOfCode(hookContext);
    const row = userId && (await noteOutage(() => db.twoFactor.findUnique({ where: { userId } })));
    const data = row ? row[DECRYPTED[path] ?? 'secret'] : undefined;
    if (!data) return;
    await symmetricDecrypt({ key: context.secretConfig, data }).catch(() => {
      const reason = 'SECOND_FACTOR_UNREADABLE';
      audit('second-factor', 'failed', { userId, headers, reason });
      const advice = 'Ask whoever runs this service to remove it.';
      throw refusal('FORBIDDEN', reason, `The second factor of this account can no longer be read. ${advice}`);
    });
  }

  async function renew({ context: { newSession, returned, secretConfig: key, session } }: HookContext): Promise<void> {
    const userId = (newSession ?? session)?.user.id;
    if (!userId || isAPIError(returned) || typeof key === 'string') return;
    const row = await db.twoFactor.findUnique({ where: { userId } });
    for (const field of FIELDS) {
      const stored = row?.[field];
      if (!stored || parseEnvelope(stored)?.version === key.currentVersion) continue;
      const data = await symmetricDecrypt({ key, data: stored });
      const renewed = { [field]: await symmetricEncrypt({ key, data }) };
      // The condition keeps a backup code that is used at the same moment from coming back.
      await db.twoFactor.updateMany({ where: { userId, [field]: stored }, data: renewed });
    }
  }

  // The sign-in succeeds also if the re-encryption fails; the next use tries again.
  const note = ({ message }: Error) => logger.warn({ cause: message }, 'a second factor was not encrypted anew');
  const renewIfPossible = (hookContext: HookContext) => renew(hookContext).catch(note);

  const before = [hook(refuseUnreadable, ...Object.keys(DECRYPTED))];
  return { id: 'second-factor-keys', hooks: { before, after: [hook(renewIfPossible, ...CODE_PATHS)] } };
}

/**
 * @returns a plugin that has to run after better-auth's second factor, which renews a device's trust at each sign-in.
 * An operation that ends sessions removes the trust before and after itself; a sign-in whose session was ended meanwhile
 * removes what it has just renewed.
 */
export function trustedDevices(forget: RemoveTrust): BetterAuthPlugin {
  async function forgetBefore(hookContext: HookContext): Promise<void> {
    const userId = (await sessionOf(hookContext))?.user.id;
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

  const after = [
    hook(forgetLate, '/sign-in/email', ...CODE_PATHS),
    // A signed-in user gives a code only to set the second factor up.
    hook(forgetAfter, '/two-factor/disable', ...CODE_PATHS, ...SIGN_OUTS),
  ];
  return { id: 'trusted-devices', hooks: { before: [hook(forgetBefore, ...SIGN_OUTS)], after } };
}
