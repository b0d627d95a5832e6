// Reads the claims of the house's identity provider: who somebody is, and what the account gets of it. A provider may
// take most of them from its users, so that each is checked. [contract 17, 22]
import type { OAuthMappedUser } from 'better-auth';
import { z } from 'zod';
import { MAX_EMAIL_LENGTH } from '../input/text-rules.ts';
import { nameOfProfile } from '../plugins/social-profile.ts';

/** The subjects that OpenID Connect Core 1.0, section 2, allows. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

const Email = z.string().max(MAX_EMAIL_LENGTH, { abort: true }).pipe(z.email());

/**
 * @returns the id of an account: the issuer and the subject, since different providers may use the same subject for
 *   different people; '' without a valid subject
 */
export function accountIdOf(issuer: string, claims: object): string {
  const { sub } = claims as { sub?: unknown };
  return typeof sub === 'string' && SUBJECT.test(sub) ? `${issuer}#${sub}` : '';
}

/** @returns the fields of a new user; without an address better-auth makes no account */
export function userOfClaims(claims: Record<string, unknown>): OAuthMappedUser {
  const email = Email.safeParse(claims.email).data ?? null;
  const [name, login] = [textOf(claims.name), textOf(claims.preferred_username)];
  return { ...nameOfProfile({ name, login, email }), email, emailVerified: claims.email_verified === true };
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : '');
