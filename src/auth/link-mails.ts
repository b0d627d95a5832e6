// What becomes of a wish for an email: whether its address has an account is looked up here, in a
// worker, where nobody measures the time; so is how many emails it has got. [contract 17]
import { randomBytes } from 'node:crypto';
import { createEmailVerificationToken } from 'better-auth/api';
import type { Config } from '../config.ts';
import type { User } from '../generated/prisma/client.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { Auth } from './auth.ts';
import { mayBeSent } from './mail-limit.ts';
import type { MailQueue, MailRequest, MailWish } from './mail-queue.ts';

const VERIFICATION_SECONDS = 24 * 3600;
const RESET_SECONDS = 3600;

export interface LinkMailDeps {
  config: Pick<Config, 'auth' | 'rateLimits'>;
  db: Database;
  redis: RedisClient;
  auth: Auth;
  mailQueue: MailQueue;
  logger: Logger;
}

/**
 * Queues the email that the address is to get, if any.
 * @param jobId of the wish; the email's is the same, so that a repeated attempt makes no second one
 */
export async function answerMailWish(
  deps: LinkMailDeps,
  wish: MailWish,
  jobId: string,
): Promise<'queued' | 'withheld' | 'none'> {
  const user = await deps.db.user.findUnique({ where: { email: wish.to } });
  const kind = user && kindFor(user, wish);
  if (!kind) return 'none';
  const { mail: max, windowMs } = deps.config.rateLimits;
  if (!(await mayBeSent(deps.redis, { max, windowMs }, user.email))) {
    deps.logger.info({ jobId, kind }, 'email withheld: its recipient has got enough of them');
    return 'withheld';
  }
  const link = await LINKS[kind](deps, user, wish);
  const { url, name = user.name, lifeSeconds } = link;
  const expiresAt = new Date(Date.now() + lifeSeconds * 1000).toISOString();
  await deps.mailQueue.enqueue({ kind, to: user.email, name, url, expiresAt }, jobId);
  return 'queued';
}

/** @returns which email the owner of an account gets, or null for none */
function kindFor(user: User, wish: MailWish): MailRequest['kind'] | null {
  if (wish.kind === 'password-reset') return 'password-reset';
  if (!user.emailVerified) return 'verification';
  return wish.kind === 'sign-up' ? 'sign-up-attempt' : null;
}

interface Link {
  url: string;
  /** Whom the email speaks to, where it isn't the account's name. */
  name?: string | undefined;
  lifeSeconds: number;
}

type MakeLink = (deps: LinkMailDeps, user: User, wish: MailWish) => Promise<Link>;

const LINKS: Record<MailRequest['kind'], MakeLink> = {
  async verification({ config, db }, user, { signUpId, leadsTo = '/' }) {
    const claim = signUpId && (await db.signUp.findUnique({ where: { id: signUpId } }));
    const { secret, publicUrl } = config.auth;
    const lifeSeconds = VERIFICATION_SECONDS;
    const bound = { userId: user.id, ...(signUpId && { signUpId }) };
    const token = await createEmailVerificationToken(
      secret,
      user.email,
      undefined,
      lifeSeconds,
      bound,
    );
    const url = new URL('/api/auth/verify-email', publicUrl);
    url.searchParams.set('token', token);
    url.searchParams.set('callbackURL', leadsTo);
    return { url: url.href, name: claim ? claim.name : undefined, lifeSeconds };
  },

  async 'password-reset'({ config, auth }, user, { leadsTo = '' }) {
    const token = randomBytes(18).toString('base64url');
    const { internalAdapter } = await auth.$context;
    await internalAdapter.createVerificationValue({
      identifier: `reset-password:${token}`,
      value: user.id,
      expiresAt: new Date(Date.now() + RESET_SECONDS * 1000),
    });
    const url = new URL(`/api/auth/reset-password/${token}`, config.auth.publicUrl);
    url.searchParams.set('callbackURL', leadsTo);
    return { url: url.href, lifeSeconds: RESET_SECONDS };
  },

  async 'sign-up-attempt'({ config }) {
    return { url: new URL('/', config.auth.publicUrl).href, lifeSeconds: VERIFICATION_SECONDS };
  },
};
