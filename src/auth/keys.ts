// The names of what the accounts keep in Redis besides sessions.
import { createHash } from 'node:crypto';

/** The failed passwords of an address, whether it has an account or not; Redis doesn't learn it. */
export function failuresKey(email: string): string {
  const address = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return `limit:account:${address.slice(0, 32)}`;
}
