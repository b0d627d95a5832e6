// Answers a queued request for an email. The worker looks the account up and checks the mailbox's budget, since no
// client can measure how long that takes there. better-auth finds links that have no copy in Redis in PostgreSQL.
// [contract 17]
import { randomBytes } from 'node:crypto';
import { signJWT } from 'better-auth/crypto';
import type { User } from '../../generated/prisma/client.ts';
import { PAGE_LANGUAGES, type PageLanguage } from '../../names/languages.ts';
import { count, subjectOf } from '../../platform/redis/limits.ts';
import type { Services } from '../../services.ts';
import { RESET_PREFIX } from '../plugins/better-auth-names.ts';
import { keepWhereItLeads, type Link } from '../sign-up/links.ts';
import { isNotice, type Notice } from './emails.ts';
import type { MailRequest, WrittenMail } from './mail-queue.ts';

type LinkMailServices = Pick<Services, 'config' | 'db' | 'logger' | 'redis'>;

const VERIFICATION_SECONDS = 24 * 3600;
const RESET_SECONDS = 3600;
/** How long after its cause a notice is still sent, s. */
const NOTICE_SECONDS = 24 * 3600;

/**
 * Writes the email that the address gets, if any.
 * @param jobId the id of the request's job, by which the email counts once
 */
export async function answerMailRequest(
  deps: LinkMailServices,
  asked: MailRequest,
  jobId: string,
): Promise<WrittenMail | 'withheld' | 'none'> {
  const user = await deps.db.user.findUnique({ where: { email: asked.to } });
  const kind = user && kindFor(user, asked);
  if (!kind) return 'none';
  if (!isNotice(kind) && !(await isWithinBudget(deps, kind, user.email, jobId))) {
    deps.logger.info({ jobId, kind }, 'email withheld: its recipient has got enough of them');
    return 'withheld';
  }
  const link = await LINKS[isNotice(kind) ? 'notice' : kind](deps, user, asked);
  // A stranger may have put an advertisement into the name of an unconfirmed account. [contract 17]
  const name = user.emailVerified ? user.name : undefined;
  const language = languageFor(user, asked);
  return { kind, to: user.email, name, language, url: link.url, expiresAt: link.expiresAt.toISOString() };
}

/**
 * An account that is not confirmed may have been created by a stranger; then whoever asks for the mail is more likely to
 * read it. [contract 25]
 */
function languageFor({ emailVerified, language }: User, asked: MailRequest): PageLanguage {
  const own = PAGE_LANGUAGES.find((known) => known === language);
  return (emailVerified ? (own ?? asked.language) : (asked.language ?? own)) ?? 'en';
}

function kindFor(user: User, asked: MailRequest): WrittenMail['kind'] | null {
  if (asked.kind === 'password-reset') return 'password-reset';
  if (isNotice(asked.kind)) return user.emailVerified ? asked.kind : null;
  if (!user.emailVerified) return 'verification';
  return asked.kind === 'sign-up' ? 'sign-up-attempt' : null;
}

/**
 * Counts an email, all attempts of its job as one, so that a stranger who knows an address can't fill its mailbox.
 * Password resets have a budget of their own, so that a stranger can't use up the owner's.
 */
async function isWithinBudget({ config, redis }: LinkMailServices, kind: LinkMail, to: string, jobId: string) {
  const { mail: max, windowMs } = config.rateLimits;
  const budget = kind === 'password-reset' ? kind : 'others';
  const subject = `${budget}:${subjectOf(to.toLowerCase().replace(TAG, ''))}`;
  const { current } = await count(redis, { name: 'mail', subject, max, windowMs }, { once: jobId });
  return current <= max;
}

/** Matches a tag: from the first `+` after another character up to the domain. Mail servers ignore it. */
const TAG = /(?<=.)\+[^@]*(?=@)/;

type LinkMail = Exclude<WrittenMail['kind'], Notice>;

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

type MakeLink = (deps: LinkMailServices, user: User, asked: MailRequest) => Promise<{ url: string; expiresAt: Date }>;

const LINKS: Record<LinkMail | 'notice', MakeLink> = {
  /** An owner who did not do this chooses a new password. */
  async notice({ config }) {
    const { href } = new URL('/forgot-password', config.auth.publicUrl);
    return { url: href, expiresAt: inSeconds(NOTICE_SECONDS) };
  },

  async verification({ config, db }, user, { signUpId, askedBy, leadsTo = '/' }) {
    const { secret, publicUrl } = config.auth;
    const expiresAt = inSeconds(VERIFICATION_SECONDS);
    const link: Omit<Link, 'hash' | 'expiresAt'> = { email: user.email, userId: user.id, signUpId, askedBy };
    const token = await signJWT(link, secret, VERIFICATION_SECONDS);
    await keepWhereItLeads(db, token, leadsTo, expiresAt);
    const url = new URL('/api/auth/verify-email', publicUrl);
    url.searchParams.set('token', token);
    return { url: url.href, expiresAt };
  },

  async 'password-reset'({ config, db }, user, { leadsTo }) {
    const token = randomBytes(18).toString('base64url');
    const expiresAt = inSeconds(RESET_SECONDS);
    const identifier = `${RESET_PREFIX}${token}`;
    await db.verification.create({ data: { identifier, value: user.id, expiresAt } });
    await keepWhereItLeads(db, token, leadsTo, expiresAt);
    const url = new URL(`/api/auth/reset-password/${token}`, config.auth.publicUrl);
    return { url: url.href, expiresAt };
  },

  async 'sign-up-attempt'({ config }) {
    const { href } = new URL('/', config.auth.publicUrl);
    return { url: href, expiresAt: inSeconds(VERIFICATION_SECONDS) };
  },
};
