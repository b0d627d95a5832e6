// The numbers of attempts that the owner of homework can choose. Pure.
import type { ATTEMPTS } from '../../assignments/schema.ts';

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX: (typeof ATTEMPTS)['max'] = 10;
const OFFERED = [1, 2, 3, 5, MAX];

/** @param current the number that holds, which another client may have set */
export function attemptChoices(current = 1): number[] {
  return [...new Set([...OFFERED, current])].toSorted((one, other) => one - other);
}
