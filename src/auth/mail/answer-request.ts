// Answers a queued request for an email. The worker looks the account up and checks the mailbox's budget, since no
// client can measure how long that takes there. [contract 17]
import { signJWT } from 'better-auth/crypto';
import type { User } from '../../generated/prisma/client.ts';
import { PAGE_LANGUAGES, type PageLanguage } from '../../names/languages.ts';
import { count, subjectOf } from '../../platform/redis/limits.ts';
import { randomText } from '../../random-text.ts';
import type { Services } from '../../services.ts';
import { RESET_PREFIX } from '../plugins/better-auth-names.ts';
import { keepWhereItLeads, type Link } from '../sign-up/links.ts';
import { isNotice } from './emails.ts';
import type { MailRequest, WrittenMail } from './mail-queue.ts';

type LinkMailServices = Pick<Services, 'config' | 'db' | 'logger' | 'redis'>;
type MailKind = WrittenMail['kind'];
const RESET_SECONDS = 3600;
/** How long other links are valid, and how long after its cause a mail without one is still sent, s. */
const OTHER_SECONDS = 24 * 3600;

/** @param jobId the id of the request's job, by which the email counts once */
export async function answerMailRequest(deps: LinkMailServices, asked: MailRequest, jobId: string) {
  const user = await deps.db.user.findUnique({ where: { email: asked.to } });
  const kind = user && kindFor(user, asked);
  if (!kind) return 'none' as const;
  if (!isNotice(kind) && !(await isWithinBudget(deps, kind, user.email, jobId))) {
    deps.logger.info({ jobId, kind }, 'email withheld: its recipient has got enough of them');
    return 'withheld' as const;
  }
  const expiresAt = new Date(Date.now() + 1000 * (kind === 'password-reset' ? RESET_SECONDS : OTHER_SECONDS));
  const path = await pathFor(deps, kind, user, asked, expiresAt);
  const url = new URL(path, deps.config.auth.publicUrl).href;
  // A stranger may have put an advertisement into the name of an unconfirmed account. [contract 17]
  const name = user.emailVerified ? user.name : undefined;
  const language = languageFor(user, asked);
  const mail: WrittenMail = { kind, to: user.email, name, language, url, expiresAt: expiresAt.toISOString() };
  return mail;
}

/** A stranger may have created an unconfirmed account; then the request's language goes first. [contract 25] */
function languageFor({ emailVerified, language }: User, asked: MailRequest): PageLanguage {
  const own = PAGE_LANGUAGES.find((known) => known === language);
  return (emailVerified ? (own ?? asked.language) : (asked.language ?? own)) ?? 'en';
}

function kindFor(user: User, asked: MailRequest): MailKind | null {
  if (asked.kind === 'password-reset') return 'password-reset';
  if (isNotice(asked.kind)) return user.emailVerified ? asked.kind : null;
  if (!user.emailVerified) return 'verification';
  return asked.kind === 'sign-up' ? 'sign-up-attempt' : null;
}

/** A stranger can neither fill a mailbox nor use up its password resets by other mails. A job's attempts count once. */
async function isWithinBudget({ config, redis }: LinkMailServices, kind: MailKind, to: string, jobId: string) {
  const { mail: max, windowMs } = config.rateLimits;
  const budget = kind === 'password-reset' ? kind : 'others';
  const subject = `${budget}:${subjectOf(to.toLowerCase().replace(TAG, ''))}`;
  return (await count(redis, { name: 'mail', subject, max, windowMs }, { once: jobId })).current <= max;
}

/** Matches a tag: from the first `+` after another character up to the domain. Mail servers ignore it. */
const TAG = /(?<=.)\+[^@]*(?=@)/;

/** Makes the link of a mail; better-auth finds its records in PostgreSQL, without copies in Redis. @returns its path */
async function pathFor(deps: LinkMailServices, kind: MailKind, user: User, asked: MailRequest, expiresAt: Date) {
  const { config, db } = deps;
  const { email, id: userId } = user;
  const { signUpId, askedBy, leadsTo } = asked;
  if (kind === 'verification') {
    const link: Omit<Link, 'hash' | 'expiresAt'> = { email, userId, signUpId, askedBy };
    const token = await signJWT(link, config.auth.secret, OTHER_SECONDS);
    await keepWhereItLeads(db, token, leadsTo ?? '/', expiresAt);
    return `/api/auth/verify-email?${new URLSearchParams({ token })}`;
  }
  if (kind === 'password-reset') {
    const token = randomText(18);
    await db.verification.create({ data: { identifier: `${RESET_PREFIX}${token}`, value: userId, expiresAt } });
    await keepWhereItLeads(db, token, leadsTo, expiresAt);
    return `/api/auth/reset-password/${token}`;
  }
  // An owner who did not do what a notice tells chooses a new password.
  return isNotice(kind) ? '/forgot-password' : '/';
}
