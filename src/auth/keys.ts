// The names of the accounts' Redis keys, apart from sessions.
import { createHash } from 'node:crypto';

/** The failed sign-ins of an address, with or without an account. */
export const failuresKey = (email: string) => `limit:account:${hashOf(email)}`;

/** The wrong codes of a user's second factor. */
export const wrongCodesKey = (userId: string) => `limit:second_factor:${userId}`;

/** The emails that a mailbox has got from one budget. */
export const mailsKey = (budget: string, mailbox: string) => `limit:mail:${budget}:${hashOf(mailbox)}`;

/** Hashes an address, so that it does not appear in Redis. */
function hashOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
}
