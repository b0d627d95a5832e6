// The accounts: better-auth, told where it keeps what and how its emails go out. It owns the records,
// the cookies and the API under /api/auth; what it can't do reliably by itself stands in the files
// beside this one. [contract 6]
import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { twoFactor } from 'better-auth/plugins';
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { accountDatabase } from './account-database.ts';
import { createAccountLimit } from './account-limit.ts';
import { CLIENT_ADDRESS_HEADER } from './around.ts';
import { askAsBetterAuth } from './ask-for-mail.ts';
import { createAuditLog } from './audit-log.ts';
import { audited } from './audited.ts';
import { guests, OWN_WAYS } from './guests/plugins.ts';
import { inputRules, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './input-rules.ts';
import type { MailQueue } from './mail-queue.ts';
import { passkeyRules, passkeys } from './passkeys.ts';
import { recordHooks } from './record-hooks.ts';
import { createSecondaryStorage } from './secondary-storage.ts';
import type { SessionCache } from './session-cache.ts';
import { sessionEnds } from './session-ends.ts';
import type { ConfirmDeps } from './sign-up/confirm.ts';
import { signUpPlugin } from './sign-up/plugin.ts';
import type { Reset } from './sign-up/reset-password.ts';
import { socialSignIn } from './social-sign-in.ts';

export const SESSION_SECONDS = 7 * 24 * 3600;
export const RENEW_AFTER_SECONDS = 24 * 3600;

/** Wrong codes of an account, over all its sign-ins. */
const TOTP_LOCKOUT = { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 };

export interface AuthDeps {
  config: Pick<Config, 'auth' | 'rateLimits'>;
  db: Database;
  redis: RedisClient;
  sessionCache: SessionCache;
  mailQueue: MailQueue;
  logger: Logger;
  /** Leaves nothing of a user behind but the scores; in parts above this one. */
  deleteAccount(userId: string): Promise<void>;
  /** Gives an account what a guest has; in parts above this one. */
  handOver(guestId: string, accountId: string): Promise<void>;
}

export type Auth = ReturnType<typeof createAuth>;

/** Builds the instance; the stores may still be away. */
export function createAuth(deps: AuthDeps) {
  const { config, db, redis, sessionCache, mailQueue, logger } = deps;
  const { secret, publicUrl, cookieDomain, trustedOrigins } = config.auth;
  const secondaryStorage = createSecondaryStorage(redis, db, sessionCache);
  const confirming: ConfirmDeps = { db, secondaryStorage };
  const audit = createAuditLog(logger, secret);
  const accountLimit = createAccountLimit(redis, config.rateLimits, audit);

  async function onReset(reset: Reset): Promise<void> {
    audit('password-reset', 'done', reset);
    await accountLimit.clear(reset.email);
  }

  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins,
    database: prismaAdapter(accountDatabase(db), { provider: 'postgresql' }),
    secondaryStorage,
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      requireEmailVerification: true,
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      sendVerificationEmail: (mail) => askAsBetterAuth(mailQueue, mail),
    },
    socialProviders: socialSignIn(config.auth, confirming),
    account: { encryptOAuthTokens: true },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: RENEW_AFTER_SECONDS,
      // What needs a fresh sign-in is said in session-ends.ts.
      freshAge: 0,
      // So that losing Redis signs nobody out.
      storeSessionInDatabase: true,
    },
    // Links and the states of social sign-ins survive Redis as well; the worker clears them away.
    verification: { storeInDatabase: true, disableCleanup: true },
    user: {
      deleteUser: {
        enabled: true,
        // The user is gone then; what better-auth deletes afterwards it does not find.
        beforeDelete: ({ id }) => deps.deleteAccount(id),
      },
    },
    databaseHooks: recordHooks,
    plugins: [
      inputRules(),
      accountLimit.plugin,
      signUpPlugin({ db, mailQueue, publicUrl, confirming, onReset }),
      // By an app alone: a code by mail would be no second factor to a mailbox that is not one's own.
      twoFactor({ issuer: 'Vocabulary Quiz', accountLockout: TOTP_LOCKOUT }),
      passkeys(config.auth),
      passkeyRules(db),
      ...guests(deps.handOver),
      audited(audit),
      sessionEnds(),
    ],
    disabledPaths: ['/two-factor/send-otp', '/two-factor/verify-otp', ...OWN_WAYS],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Throws what is not for the client to src/http/problems/problem.ts; broken flows end on the page.
    onAPIError: { throw: true, errorURL: `${publicUrl}/` },
    logger: { level: 'debug', log: (level, message) => log(logger, level, message) },
    advanced: {
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER], ipv6Subnet: 128 },
      useSecureCookies: publicUrl.startsWith('https://'),
      ...(cookieDomain && { crossSubDomainCookies: { enabled: true, domain: cookieDomain } }),
      // Said aloud, since better-auth turns both off by itself where NODE_ENV is `test`.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  });
}

/** Its errors are mostly clients' mistakes; failures reach the error handler of the route anyway. */
function log(logger: Logger, level: string, message: string): void {
  logger[level === 'error' ? 'warn' : 'debug']({ from: 'better-auth' }, message);
}
