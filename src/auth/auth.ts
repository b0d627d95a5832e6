// Configures better-auth, which owns the account records, the cookies and the API under /api/auth. The folders beside
// this file add what it does not do reliably by itself. [contract 6]
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { type Database, isUniqueViolation, sqlStateOf } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { createAccountLimit } from './account-limit.ts';
import { audited, createAuditLog } from './audit.ts';
import { type AccountStores, forgetDevices } from './device-trust.ts';
import { guests, OWN_WAYS } from './guests.ts';
import { inputRules, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, redirects } from './input/input-rules.ts';
import { askAsBetterAuth, notices, sendNotice } from './mail/ask-for-mail.ts';
import { createPasswordHash, raiseCost } from './password-hash.ts';
import { CLIENT_ADDRESS_HEADER, refusal } from './plugins/auth-hooks.ts';
import { passkeyRules, passkeys } from './plugins/passkeys.ts';
import { OIDC, oidcSignIn, socialSignIn } from './providers.ts';
import { secondFactorKeys, secondFactorLimit, trustedDevices } from './second-factor.ts';
import { createSecondaryStorage } from './sessions/secondary-storage.ts';
import { recordHooks, sessionEnds } from './sessions/session-ends.ts';
import { plainForm, type SignUpServices, signUpOff, signUpPlugin } from './sign-up/sign-up.ts';
import { noteOutage } from './store-failures.ts';

export const SESSION_SECONDS = 7 * 24 * 3600;
export const RENEW_AFTER_SECONDS = 24 * 3600;

/** A higher layer implements the deletion and the hand-over. */
type AuthServices = Pick<Services, 'config' | 'db' | 'logger' | 'mailQueue' | 'redis' | 'sessionCache'> & {
  deleteAccount(userId: string): Promise<void>;
  handOver(guestId: string, accountId: string): Promise<void>;
};

export type Auth = ReturnType<typeof createAuth>;

/** It does not need the stores yet. */
export function createAuth(deps: AuthServices) {
  const { config, db, redis, sessionCache, mailQueue, logger } = deps;
  const { secret, secrets, unversionedSecret, publicUrl, cookieDomain, trustedOrigins, oidc, emailSignUp } =
    config.auth;
  const secondaryStorage = createSecondaryStorage(redis, db, sessionCache);
  const stores: AccountStores = { db, secondaryStorage };
  const passwordHash = createPasswordHash(config.auth.passwordHashCost);
  const forget = (userId: string) => forgetDevices(stores, userId);
  const audit = createAuditLog(logger, secret);
  const accountLimit = createAccountLimit(redis, config.rateLimits, audit);

  const onReset: SignUpServices['onReset'] = async (reset) => {
    audit('password-reset', 'done', reset);
    await forget(reset.userId);
    await accountLimit.clear(reset.email);
    await sendNotice(mailQueue, 'password-changed', reset.email);
  };

  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    // better-auth uses `secret` only to decrypt values that were stored without a version.
    ...(secrets ? { secrets, ...(unversionedSecret && { secret: unversionedSecret }) } : { secret }),
    trustedOrigins,
    database: prismaAdapter(accountDatabase(db), { provider: 'postgresql' }),
    secondaryStorage,
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      requireEmailVerification: true,
      password: passwordHash,
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      sendVerificationEmail: ({ user, url }, request) => askAsBetterAuth(mailQueue, user.email, url, request),
    },
    socialProviders: socialSignIn(config.auth, stores),
    account: {
      encryptOAuthTokens: true,
      // confirm.ts decides which accounts a provider may enter. A signed-in user may link an unverified address of the
      // house's own provider.
      accountLinking: { disableImplicitLinking: true, trustedProviders: [OIDC] },
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: RENEW_AFTER_SECONDS,
      // session-ends.ts decides which operations need a fresh sign-in.
      freshAge: 0,
      // Sessions are also in PostgreSQL, so that losing Redis signs nobody out.
      storeSessionInDatabase: true,
    },
    // Links and states of social sign-ins are in PostgreSQL as well; the worker removes the expired ones.
    verification: { storeInDatabase: true, disableCleanup: true },
    user: {
      deleteUser: {
        enabled: true,
        // This hook has deleted the user already; better-auth's own deletion then finds nothing.
        beforeDelete: ({ id }) => deps.deleteAccount(id),
      },
    },
    databaseHooks: recordHooks(forget),
    // Hooks run in this order, both before and after an operation; a comment says where that matters.
    plugins: [
      // This comes first, since a sign-up that is off is refused whatever its body is. [contract 22]
      ...(emailSignUp ? [] : [signUpOff()]),
      // No code below may process a text before this plugin has checked its length.
      inputRules(),
      redirects(publicUrl),
      // Input that is refused is no guess of a password, and does not count.
      accountLimit.plugin,
      signUpPlugin({ ...stores, mailQueue, publicUrl, hasPage: config.webPage, passwordHash, onReset }),
      raiseCost(db, passwordHash, logger),
      // A code that can't be verified is refused before it would count as a wrong one.
      secondFactorKeys(db, logger, audit),
      secondFactorLimit(redis, audit),
      // Only an authenticator app makes codes: one by mail is no second factor against somebody who reads the mails.
      twoFactor({ issuer: 'Vocabulary Quiz', accountLockout: { enabled: false } }),
      trustedDevices(forget),
      notices(mailQueue),
      passkeys(config.auth),
      passkeyRules(db),
      ...(oidc ? [oidcSignIn(oidc, stores)] : []),
      // The guest of the request's session is read before `sessionEnds` ends that session.
      ...guests(deps.handOver),
      // The log reads what all plugins above have made of the reply.
      audited(audit),
      sessionEnds(forget),
      // This turns JSON replies into HTML, which none of the others could read.
      plainForm(),
    ],
    disabledPaths: ['/two-factor/send-otp', '/two-factor/verify-otp', ...OWN_WAYS],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Unexpected errors go on to src/http/problems/problem.ts. A failed flow in the browser ends on the page.
    onAPIError: { throw: true, errorURL: `${publicUrl}/` },
    logger: {
      level: 'debug',
      // Its errors are mostly clients' mistakes, and real failures reach the error handler.
      log: (level, message) => logger[level === 'error' ? 'warn' : 'debug']({ from: 'better-auth' }, message),
    },
    advanced: {
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER], ipv6Subnet: 128 },
      useSecureCookies: publicUrl.startsWith('https://'),
      ...(cookieDomain && { crossSubDomainCookies: { enabled: true, domain: cookieDomain } }),
      // Both are set explicitly, since better-auth turns them off if NODE_ENV is `test`.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  });
}

/** Class 22 of PostgreSQL's error codes: a value that no column can hold, such as a zero character. */
const DATA_EXCEPTION = /^22/;

/** @returns the same adapter; it records outages, and turns invalid values into a 400 and unique violations into a 409 */
function accountDatabase(db: Database) {
  return db.$extends({
    query: {
      async $allOperations({ args, query }) {
        try {
          return await noteOutage(() => query(args));
        } catch (error) {
          if (DATA_EXCEPTION.test(sqlStateOf(error))) throw refusal('BAD_REQUEST', 'INVALID_INPUT', 'Invalid input');
          // better-auth has checked before it wrote, so that two equal requests came at the same time.
          if (isUniqueViolation(error))
            throw refusal('CONFLICT', 'ALREADY_EXISTS', 'The same request is under way, or done already');
          throw error;
        }
      },
    },
  });
}
