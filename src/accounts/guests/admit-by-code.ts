// Admits guests by a code. A school behind one address gets in, since its pupils are counted for the lobby; whoever
// guesses codes is counted for the address. [contract 22]
import { BUDGETS } from '../../budgets.ts';
import { countForAddress, isWithinLimit } from '../../http/count-or-refuse.ts';
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
 * Counts a guest for what has the code. What one address makes of guests uses up no places for another address; beyond
 * them its guests are like those without a code.
 * @param countForNetwork counts a guest, or a wrong code, for the address as a guest without a code
 * @returns what has the code, and whether the guest counts for it
 * @throws AppError LOBBY_NOT_FOUND for a code that invites nobody now; RATE_LIMITED
 */
export async function admitByCode(
  deps: AdmissionDeps,
  { code, address }: { code: string; address: string },
  countForNetwork: () => Promise<unknown>,
): Promise<{ admission: Admission; isInvited: boolean }> {
  const admission = await requireFound(deps, findAdmission, { code, address }, countForNetwork);
  const { redis } = deps;
  const { windowMs } = deps.config.rateLimits;
  const { id, guestsMax } = admission;
  const keyOf = (network: string) => invitedKey(id, network);
  const isInvited = await isWithinLimit(redis, address, { keyOf, max: guestsMax, windowMs });
  if (isInvited)
    await countForAddress(redis, address, {
      keyOf: invitedAddressKey,
      max: BUDGETS.guestsByCode.max,
      windowMs,
      limiter: 'invited_address',
      what: 'guests from your network',
    });
  else await countForNetwork();
  return { admission, isInvited };
}
