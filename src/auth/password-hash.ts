// Hashes passwords in better-auth's own way, at a cost that tests can lower. A hash does not contain its cost, so a
// hash of another cost never verifies.
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { compatible } from '../text.ts';

const KEY_BYTES = 64;
const BLOCK_SIZE = 16;

export interface PasswordHash {
  /** @returns a hash with a random salt */
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
  /**
   * Hashes a password at sign-up. The salt is derived from the address, so that two sign-ups with the same address and
   * password are recognised as equal without storing or verifying the password.
   * @param email in lower case
   * @param secret keeps the salt unknown to somebody who has only the table
   * @returns a hash that `verify` accepts; equal for equal arguments
   */
  hashForAddress(email: string, password: string, secret: string): Promise<string>;
}

/** @param cost scrypt's N, a power of two; memory and time are proportional to it */
export function createPasswordHash(cost: number): PasswordHash {
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * cost * BLOCK_SIZE };

  function hashWith(salt: string, password: string): Promise<string> {
    return new Promise((resolve, reject) => {
      scrypt(compatible(password), salt, KEY_BYTES, options, (error, key) => {
        if (error) reject(error);
        else resolve(`${salt}:${key.toString('hex')}`);
      });
    });
  }

  return {
    hash: (password) => hashWith(randomBytes(16).toString('hex'), password),
    async verify({ hash, password }) {
      const [salt = ''] = hash.split(':');
      const expected = Buffer.from(hash);
      const actual = Buffer.from(await hashWith(salt, password));
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
    hashForAddress(email, password, secret) {
      const salt = createHmac('sha256', secret).update(`sign-up:${email}`).digest('hex');
      return hashWith(salt.slice(0, 32), password);
    },
  };
}
