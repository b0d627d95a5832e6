// Admits guests by a code. A school behind one address gets in, since its pupils are counted for the lobby; whoever
// guesses codes is counted for the address. [contract 22]
import { BUDGETS } from '../../budgets.ts';
import { countForAddress, countOrRefuse } from '../../http/count-or-refuse.ts';
import type { CodeMissDeps } from '../../lobby/code-misses.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import { type Admission, findAdmission } from './invitations.ts';
import { invitedAddressKey, invitedKey } from './keys.ts';
import { requireFound } from './require-found.ts';

export interface AdmissionDeps extends CodeMissDeps {
  db: Database;
  redis: RedisClient;
  config: { rateLimits: { windowMs: number } };
}

/**
 * Counts a guest for what has the code.
 * @param countMiss counts a wrong code for the address as a guest without a code
 * @throws AppError LOBBY_NOT_FOUND for a code that invites nobody now; RATE_LIMITED
 */
export async function admitByCode(
  deps: AdmissionDeps,
  { code, address }: { code: string; address: string },
  countMiss: () => Promise<unknown>,
): Promise<Admission> {
  const admission = await requireFound(deps, findAdmission, { code, address }, countMiss);
  await countInvited(deps, admission, address);
  return admission;
}

/** The address comes first: what it is refused doesn't use up the places of a class. */
async function countInvited(
  { redis, config: { rateLimits } }: AdmissionDeps,
  { id, guestsMax }: Admission,
  address: string,
): Promise<void> {
  const { windowMs } = rateLimits;
  await countForAddress(redis, address, {
    ...{ keyOf: invitedAddressKey, max: BUDGETS.guestsByCode.max, windowMs },
    ...{ limiter: 'invited_address', what: 'guests from your network' },
  });
  await countOrRefuse(redis, {
    ...{ key: invitedKey(id), max: guestsMax, windowMs },
    ...{ limiter: 'invited', what: 'guests with this code' },
  });
}
