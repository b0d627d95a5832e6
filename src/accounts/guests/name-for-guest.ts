// Names a guest who comes without a name, so that one press is enough to play. [contract 22]

import { takenNames } from '../../lobby/lookup-store.ts';
import { friendlyName, type RandomInt } from '../../names/friendly-name.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Admission } from './invitations.ts';

/** How many names are drawn at once. Even in a lobby of a thousand, one of them is free but for one in a billion. */
const CANDIDATES = 16;

/**
 * @param invitation where the guest comes to; the names of a lobby are avoided
 * @param acceptLanguage the header of the request
 */
export async function nameForGuest(
  { db, random }: { db: Database; random: RandomInt },
  invitation: Admission | undefined,
  acceptLanguage: string | undefined,
): Promise<string> {
  const draw = () => friendlyName(acceptLanguage, random);
  if (invitation?.kind !== 'lobby') return draw();
  const candidates = Array.from({ length: CANDIDATES }, draw);
  const taken = await takenNames(db, invitation.id, candidates);
  return candidates.find((name) => !taken.has(name)) ?? draw();
}
