// Limits guesses of an account's second-factor codes over all its sign-ins and sessions. better-auth's own lock reads
// its counter before verification and writes it afterwards, so that concurrent guesses pass it. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { BUDGETS } from '../../budgets.ts';
import { limitHeaders, overLimit } from '../../http/over-limit.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { wrongCodesKey } from '../keys.ts';
import { createTryLimit } from '../limits/try-limit.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { CODE_PATHS, ownerOfCode } from './second-factor-codes.ts';

const WINDOW_MS = 15 * 60_000;

const WRONG_CODE = ['INVALID_CODE', 'INVALID_BACKUP_CODE'];

/** @param redis a Redis connection of role `commands` */
export function secondFactorLimit(redis: RedisClient, audit: AuditLog): BetterAuthPlugin {
  const limit = createTryLimit(redis, { max: BUDGETS.secondFactorMisses.max, windowMs: WINDOW_MS });

  async function reserve(hookContext: HookContext): Promise<void> {
    const userId = await ownerOfCode(hookContext);
    if (userId === undefined) return;
    const waitMs = await limit.reserve(hookContext, wrongCodesKey(userId));
    if (waitMs === 0) return;
    audit('second-factor', 'limited', { userId, headers: hookContext.headers });
    throw tooManyCodes(waitMs);
  }

  return {
    id: 'second-factor-limit',
    hooks: {
      before: [hook(reserve, ...CODE_PATHS)],
      after: [hook((hookContext) => limit.settle(hookContext, isWrongCode(hookContext)), ...CODE_PATHS)],
    },
  };
}

function isWrongCode({ context: { returned } }: HookContext): boolean {
  return isAPIError(returned) && WRONG_CODE.includes(returned.body?.code ?? '');
}

/** The refusal has better-auth's own error code, which its client knows. */
function tooManyCodes(waitMs: number): APIError {
  const { max } = BUDGETS.secondFactorMisses;
  const { message } = overLimit({ limiter: 'second_factor', what: 'wrong codes', max, waitMs });
  return new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'ACCOUNT_TEMPORARILY_LOCKED', message },
    limitHeaders({ max, waitMs }),
  );
}
