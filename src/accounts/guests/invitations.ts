// A code that a guest brings invites the guest: whoever has it belongs to a lobby's class, and is counted for the
// lobby instead of for the address, which a whole school may share. [contract 22]
import { findJoinable } from '../../lobby/joinable.ts';
import { parseCode } from '../../lobby/rules.ts';
import type { Database } from '../../platform/postgres/postgres.ts';

/** How many guests a place of a lobby allows in a window: some come a second time, with another browser. */
const GUESTS_PER_PLACE = 2;

export interface Invitation {
  /** The id of what has the code, which nothing else has. */
  id: string;
  /** How many guests it may invite in a window. */
  guestsMax: number;
  /** The lobby that the guest comes to, if it is one. */
  lobbyId: string | undefined;
}

/**
 * @param code as the guest wrote it
 * @returns null where the code invites nobody now
 */
export async function findInvitation(db: Database, code: string): Promise<Invitation | null> {
  const parsed = parseCode(code);
  const lobby = parsed && (await findJoinable(db, parsed));
  if (!lobby) return null;
  const { lobbyId, capacity } = lobby;
  return { id: lobbyId, guestsMax: GUESTS_PER_PLACE * capacity, lobbyId };
}
