// The hash of a password that is given at sign-up. It is salted with the address, so that one
// password given twice for one address is seen to be one without being kept or tried.
import { createHmac, scrypt } from 'node:crypto';

/** As better-auth hashes, since it verifies what is hashed here. */
const KEY_BYTES = 64;
const COST = { N: 16384, r: 16, p: 1, maxmem: 2 * 128 * 16384 * 16 };

/**
 * @param email lower-cased
 * @param secret what keeps the salt unknown to who has the table alone
 * @returns a hash that better-auth verifies; equal for equal arguments
 */
export function hashForAddress(email: string, password: string, secret: string): Promise<string> {
  const salt = createHmac('sha256', secret).update(`sign-up:${email}`).digest('hex').slice(0, 32);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(`${salt}:${key.toString('hex')}`);
    });
  });
}
