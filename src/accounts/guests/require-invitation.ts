// Finds what a code invites to. Whoever guesses codes is counted for the address, as with a session. [contract 17, 22]
import { AppError } from '../../errors.ts';
import type { CodeMissDeps } from '../../lobby/code-misses.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { findInvitation, type Invitation } from './invitations.ts';

/**
 * @param request.code as the guest wrote it
 * @param countMiss counts a wrong code further than as a wrong code of the address
 * @throws AppError LOBBY_NOT_FOUND for a code that invites nobody now; RATE_LIMITED after too many of them
 */
export async function requireInvitation(
  { db, codeMisses }: CodeMissDeps & { db: Database },
  { code, address }: { code: string; address: string },
  countMiss?: () => Promise<unknown>,
): Promise<Invitation> {
  await codeMisses.check({ address });
  const invitation = await findInvitation(db, code);
  if (invitation) return invitation;
  await codeMisses.count({ address });
  await countMiss?.();
  throw new AppError('LOBBY_NOT_FOUND');
}
