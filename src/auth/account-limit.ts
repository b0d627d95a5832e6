// Limits guesses of one account's password from many client addresses: it counts failures by email address, with or
// without an account. A try is reserved before it is judged and counts only if it is wrong, so that no more than the
// allowed number are judged, even if they come at the same time. [contract 17]
import { randomUUID } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import type { Config } from '../config.ts';
import { addMember, type ExpiringMember, renewMembers } from '../platform/redis/expiring-set.ts';
import { limitKey, overLimit, subjectOf } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { type AuditLog, EVENTS } from './audit.ts';
import { type HookContext, hook, sessionOf } from './plugins/auth-hooks.ts';
import { CONFIRM_PATH, readLink } from './sign-up/links.ts';
import { noteOutage } from './store-failures.ts';

/** The error codes with which better-auth refuses a wrong password. */
const WRONG_PASSWORD = ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD'];

const PASSWORD_PATHS = [
  '/sign-in/email',
  CONFIRM_PATH,
  '/change-password',
  '/delete-user',
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/two-factor/get-totp-uri',
];

export function createAccountLimit(
  redis: RedisClient,
  { account: max, windowMs }: Config['rateLimits'],
  audit: AuditLog,
) {
  const limit = createTryLimit(redis, { max, windowMs, failures: WRONG_PASSWORD });
  const keyOf = (email: string) => limitKey('account', subjectOf(email));

  async function reserve(hookContext: HookContext): Promise<void> {
    const email = await addressOf(hookContext);
    if (email === undefined) return;
    const waitMs = await limit.reserve(hookContext, keyOf(email));
    if (waitMs === 0) return;
    audit(EVENTS[hookContext.path] ?? 'second-factor-change', 'limited', { email, headers: hookContext.headers });
    throw overLimit({ limiter: 'account', what: 'failed passwords for this account', max, waitMs });
  }

  const hooks = { before: [hook(reserve, ...PASSWORD_PATHS)], after: [hook(limit.settle, ...PASSWORD_PATHS)] };
  return {
    plugin: { id: 'account-limit', hooks } satisfies BetterAuthPlugin,
    /** Clears an address's failures after its password was reset. */
    async clear(email: string): Promise<void> {
      // The reset must not fail if this does; the window ends by itself.
      await redis.del(keyOf(email)).catch(() => {});
    },
  };
}

/** @returns the address whose password a request tries, or undefined */
async function addressOf(hookContext: HookContext): Promise<string | undefined> {
  const { body, context, path } = hookContext;
  if (path === CONFIRM_PATH) return (await readLink(String(body?.token), context.secret))?.email;
  if (path === '/sign-in/email') return typeof body?.email === 'string' ? body.email : undefined;
  if (!body?.password && !body?.currentPassword) return undefined;
  return (await sessionOf(hookContext))?.user.email;
}

/** How long a reservation lasts, ms: longer than a hash takes on a busy machine. A crash leaves it to expire. */
const TRY_MS = 30_000;

/**
 * @param max the number of failures that a window allows
 * @param failures the error codes of replies that count
 */
export function createTryLimit(
  redis: RedisClient,
  { max, windowMs, failures }: { max: number; windowMs: number; failures: string[] },
) {
  /** The reserved tries by request context, which the hooks before and after an operation share. */
  const tries = new WeakMap<object, ExpiringMember>();

  return {
    /**
     * Reserves a request's try; `settle` must follow.
     * @param key the Redis key of the failures
     * @returns 0, or after how many ms a try is allowed again
     */
    async reserve({ context }: HookContext, key: string): Promise<number> {
      const made = { key, member: randomUUID() };
      const waitMs = await noteOutage(() => addMember(redis, made, { max, ttlMs: TRY_MS }));
      if (waitMs === 0) tries.set(context, made);
      return waitMs;
    },

    /** Counts a request's try if it has failed, or releases it. It does nothing for a request without a try. */
    async settle({ context }: HookContext): Promise<void> {
      const made = tries.get(context);
      if (!made) return;
      const { returned } = context;
      const isFailure = isAPIError(returned) && failures.includes(returned.body?.code ?? '');
      await noteOutage<unknown>(() =>
        isFailure ? renewMembers(redis, [made], windowMs) : redis.zrem(made.key, made.member),
      );
    },
  };
}
