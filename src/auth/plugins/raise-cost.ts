// Hashes a password anew at a sign-in if its hash is cheaper than the present cost: only then the password is known.
import type { BetterAuthPlugin } from 'better-auth';
import type { Logger } from '../../platform/observability/logger.ts';
import { logFailure } from '../../platform/outages/outage-log.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { PasswordHash } from '../password-hash.ts';
import { type HookContext, hook, isHalfWay } from './auth-hooks.ts';

export function raiseCost(db: Database, passwordHash: PasswordHash, logger: Logger): BetterAuthPlugin {
  async function raise({ body, context }: HookContext): Promise<void> {
    if (!context.newSession && !isHalfWay(context.returned)) return;
    const account = await db.account.findFirst({
      where: { providerId: 'credential', user: { email: body.email.toLowerCase() } },
      select: { id: true, password: true },
    });
    if (!account?.password || passwordHash.isCurrent(account.password)) return;
    const password = await passwordHash.hash(body.password);
    // A password that was changed meanwhile stays.
    await db.account.updateMany({ where: { id: account.id, password: account.password }, data: { password } });
  }

  // The sign-in counts even if the hash stays as it is; the next one tries again.
  const tryToRaise = (hookContext: HookContext) =>
    raise(hookContext).catch((error: unknown) =>
      logFailure(logger, 'warn', error, 'a password keeps a hash of an earlier cost'),
    );
  return { id: 'raise-cost', hooks: { after: [hook(tryToRaise, '/sign-in/email')] } };
}
