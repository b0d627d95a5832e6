// Limits guesses of one account's password from many client addresses: it counts failures by email address,
// with or without an account. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import type { Config } from '../../config.ts';
import { overLimit } from '../../http/over-limit.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { AuditEvent, AuditLog } from '../audit.ts';
import { failuresKey } from '../keys.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { CONFIRM_PATH, readLink } from '../sign-up/links.ts';
import { createTryLimit } from './try-limit.ts';

/** The error codes with which better-auth refuses a wrong password. */
const WRONG_PASSWORD = ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD'];

/** The operations besides sign-in that take an account's password. */
const EVENTS: Record<string, AuditEvent> = {
  [CONFIRM_PATH]: 'address-confirmation',
  '/change-password': 'password-change',
  '/delete-user': 'account-deletion',
  '/verify-password': 'password-check',
  '/two-factor/enable': 'second-factor-change',
  '/two-factor/disable': 'second-factor-change',
  '/two-factor/generate-backup-codes': 'second-factor-change',
  '/two-factor/get-totp-uri': 'second-factor-change',
};

interface AccountLimit {
  plugin: BetterAuthPlugin;
  /** Clears an address's failures after its password was reset. */
  clear(email: string): Promise<void>;
}

/** @param redis a Redis connection of role `commands` */
export function createAccountLimit(
  redis: RedisClient,
  { account: max, windowMs }: Config['rateLimits'],
  audit: AuditLog,
): AccountLimit {
  const limit = createTryLimit(redis, { max, windowMs });

  async function reserve(hookContext: HookContext): Promise<void> {
    const email = await addressOf(hookContext);
    if (email === undefined) return;
    const waitMs = await limit.reserve(hookContext, failuresKey(email));
    if (waitMs === 0) return;
    audit(EVENTS[hookContext.path] ?? 'sign-in', 'limited', { email, headers: hookContext.headers });
    throw overLimit({ limiter: 'account', what: 'requests', max, waitMs });
  }

  const settle = (hookContext: HookContext) => limit.settle(hookContext, isWrongPassword(hookContext.context.returned));

  const paths = ['/sign-in/email', ...Object.keys(EVENTS)];
  return {
    plugin: { id: 'account-limit', hooks: { before: [hook(reserve, ...paths)], after: [hook(settle, ...paths)] } },
    async clear(email) {
      // The reset must not fail if this does; the window ends by itself.
      await redis.del(failuresKey(email)).catch(() => {});
    },
  };
}

/** @returns the address whose password a request tries, or undefined */
async function addressOf(hookContext: HookContext): Promise<string | undefined> {
  const { body, context, path } = hookContext;
  if (path === CONFIRM_PATH) return (await readLink(String(body?.token), context.secret))?.email;
  if (path === '/sign-in/email') return typeof body?.email === 'string' ? body.email : undefined;
  if (!body?.password && !body?.currentPassword) return undefined;
  return (await getSessionFromCtx(hookContext, { disableRefresh: true }))?.user.email;
}

function isWrongPassword(returned: unknown): boolean {
  return isAPIError(returned) && WRONG_PASSWORD.includes(returned.body?.code ?? '');
}
