// The names of what the accounts keep in Redis besides sessions.
import { createHash } from 'node:crypto';

/** The failed passwords of an address, whether it has an account or not. */
export const failuresKey = (email: string) => `limit:account:${hashOf(email)}`;

/** How many emails an address has got. */
export const mailsKey = (recipient: string) => `limit:mail:${hashOf(recipient)}`;

/** Redis doesn't learn the address. */
function hashOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
}
