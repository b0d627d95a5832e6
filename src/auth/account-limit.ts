// Limits guesses of one account's password from many client addresses: it counts failures by email address, with or
// without an account. A try is reserved before it is judged and counts only if it is wrong, so that no more than the
// allowed number are judged, even if they come at the same time. [contract 17]
import { randomUUID } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import type { Config } from '../config.ts';
import {
  addMember,
  type ExpiringMember,
  limitKey,
  overLimit,
  renewMembers,
  subjectOf,
} from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { type AuditLog, eventOf } from './audit.ts';
import { type HookContext, hook, sessionOf } from './plugins/auth-hooks.ts';
import { CONFIRM_PATH, readLink } from './sign-up/links.ts';
import { noteOutage } from './store-failures.ts';

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

export function createAccountLimit(redis: RedisClient, limits: Config['rateLimits'], audit: AuditLog) {
  const { account: max, windowMs } = limits;
  const keyOf = (email: string) => limitKey('account', subjectOf(email));
  const plugin = tryLimit(redis, audit, {
    id: 'account-limit',
    paths: PASSWORD_PATHS,
    max,
    windowMs,
    failures: ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD'],
    async find(hookContext) {
      const email = await addressOf(hookContext);
      return email === undefined ? undefined : { key: keyOf(email), owner: { email } };
    },
    refusal: (waitMs) => overLimit({ name: 'account', what: 'failed passwords for this account', max }, waitMs),
  });
  return {
    plugin,
    /** Clears an address's failures after a reset, which must not fail if this does: the window ends by itself. */
    clear: (email: string) => redis.del(keyOf(email)).catch(() => 0),
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

interface TryLimit {
  id: string;
  paths: string[];
  /** The error codes of replies that count as failures, of which a window allows `max`. */
  failures: string[];
  max: number;
  windowMs: number;
  /** @returns the Redis key of the failures, and whose they are; undefined if the request tries nothing */
  find(hookContext: HookContext): Promise<{ key: string; owner: { email: string } | { userId: string } } | undefined>;
  /** @param waitMs after how many ms a try is allowed again */
  refusal(waitMs: number): Error;
}

export function tryLimit(redis: RedisClient, audit: AuditLog, limit: TryLimit): BetterAuthPlugin {
  const { id, paths, max, windowMs, failures } = limit;
  /** The reserved tries by request context, which the hooks before and after an operation share. */
  const tries = new WeakMap<object, ExpiringMember>();

  async function reserve(hookContext: HookContext): Promise<void> {
    const found = await limit.find(hookContext);
    if (!found) return;
    const made = { key: found.key, member: randomUUID() };
    const waitMs = await noteOutage(() => addMember(redis, made, { max, ttlMs: TRY_MS }));
    if (waitMs > 0) {
      const { headers, path } = hookContext;
      audit(eventOf(path) ?? 'second-factor-change', 'limited', { ...found.owner, headers });
      throw limit.refusal(waitMs);
    }
    tries.set(hookContext.context, made);
  }

  /** Counts a request's try if it has failed, or releases it. */
  async function settle({ context }: HookContext): Promise<void> {
    const made = tries.get(context);
    if (!made) return;
    const { returned } = context;
    const isFailure = isAPIError(returned) && failures.includes(returned.body?.code ?? '');
    await noteOutage<unknown>(() =>
      isFailure ? renewMembers(redis, [made], windowMs) : redis.zrem(made.key, made.member),
    );
  }

  return { id, hooks: { before: [hook(reserve, ...paths)], after: [hook(settle, ...paths)] } };
}
