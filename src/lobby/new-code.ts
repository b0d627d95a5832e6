// Gives a new lobby or assignment a random code that no other one has. [contract 4, 21]
import { randomBytes } from 'node:crypto';
import { isUniqueViolation } from '../platform/postgres/postgres.ts';
import { codeFrom } from './rules.ts';

/** How many codes are tried; beyond it the creation fails with 500. */
const CODE_ATTEMPTS = 5;

/**
 * @param insert stores what has the code; it is called again with another one after a unique violation
 * @throws what `insert` throws, also the unique violation of the last attempt
 */
export async function withNewCode<T>(
  length: number,
  insert: (code: string) => Promise<T>,
  newCode = () => codeFrom(randomBytes(length)),
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert(newCode());
    } catch (error) {
      if (attempt === CODE_ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}
