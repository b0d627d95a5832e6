// A bound on guessing one account's password from many places: failures are counted by address, known
// or not. A try is reserved before the password is looked at. [contract 17]
import { randomUUID } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { limitedRequests } from '../http/rate-limit.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { type Asked, hook } from './around.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';
import { failuresKey } from './keys.ts';
import { noteOutage } from './outages.ts';

const reserveScript = loadScript(new URL('lua/reserve-try.lua', import.meta.url));
const failureScript = loadScript(new URL('lua/keep-failure.lua', import.meta.url));

/** Longer than a hash takes on a busy machine; what is forgotten by then was an outage or a crash. */
const TRY_MS = 30_000;

/** How better-auth says that a password was wrong. */
const WRONG_PASSWORD = ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD'];

/** Operations that a signed-in user confirms with the password. */
const CONFIRMED: Record<string, AuditEvent> = {
  '/change-password': 'password-change',
  '/delete-user': 'account-deletion',
  '/two-factor/enable': 'second-factor-change',
  '/two-factor/disable': 'second-factor-change',
  '/two-factor/generate-backup-codes': 'second-factor-change',
  '/two-factor/get-totp-uri': 'second-factor-change',
};

export interface AccountLimit {
  plugin: BetterAuthPlugin;
  /** Forgets an address's failures, as its password was chosen anew. */
  clear(email: string): Promise<void>;
}

interface Try {
  key: string;
  name: string;
}

/** @param redis a connection of role `commands` */
export function createAccountLimit(
  redis: RedisClient,
  { account: max, windowMs }: Config['rateLimits'],
  audit: AuditLog,
): AccountLimit {
  /** By the request's own context, which both hooks see. */
  const tries = new WeakMap<object, Try>();

  async function reserve(asked: Asked): Promise<void> {
    const email = await addressOf(asked);
    if (email === undefined) return;
    const made = { key: failuresKey(email), name: randomUUID() };
    const args = [max, TRY_MS, windowMs, made.name];
    const waitMs = Number(
      await noteOutage(() => runScript(redis, reserveScript, [made.key], args)),
    );
    if (waitMs > 0) {
      audit(CONFIRMED[asked.path] ?? 'sign-in', 'limited', { email, headers: asked.headers });
      throw tooManyFailures(waitMs);
    }
    tries.set(asked.context, made);
  }

  async function settle({ context }: Asked): Promise<void> {
    const made = tries.get(context);
    if (!made) return;
    const { key, name } = made;
    await noteOutage(() =>
      isWrongPassword(context.returned)
        ? runScript(redis, failureScript, [key], [windowMs, name])
        : redis.zrem(key, name),
    );
  }

  const paths = ['/sign-in/email', ...Object.keys(CONFIRMED)];
  return {
    plugin: {
      id: 'account-limit',
      hooks: { before: [hook(reserve, ...paths)], after: [hook(settle, ...paths)] },
    },
    async clear(email) {
      // What is done besides must not fail of it; its window passes anyway.
      await redis.del(failuresKey(email)).catch(() => {});
    },
  };
}

/** @returns whose password is about to be tried, or undefined when none is */
async function addressOf(asked: Asked): Promise<string | undefined> {
  const { body, path } = asked;
  if (path === '/sign-in/email') return typeof body?.email === 'string' ? body.email : undefined;
  if (!body?.password && !body?.currentPassword) return undefined;
  return (await getSessionFromCtx(asked, { disableRefresh: true }))?.user.email;
}

function isWrongPassword(returned: unknown): boolean {
  return isAPIError(returned) && WRONG_PASSWORD.includes(returned.body?.code ?? '');
}

function tooManyFailures(retryAfterMs: number): AppError {
  limitedRequests.inc({ limiter: 'account' });
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AppError('RATE_LIMITED', `Too many requests. Try again in ${seconds} seconds.`, {
    retryAfterMs,
  });
}
