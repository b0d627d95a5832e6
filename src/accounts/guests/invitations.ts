// A code that a guest brings invites the guest: whoever has it belongs to a class, and is counted for the lobby or
// the assignment instead of for the address, which a whole school may share. [contract 22]
import { CODE_LENGTH } from '../../assignments/rules.ts';
import { findOpenId } from '../../assignments/store.ts';
import { findJoinable } from '../../lobby/joinable.ts';
import { parseCode } from '../../lobby/rules.ts';
import type { Database } from '../../platform/postgres/postgres.ts';

/** How many guests a place of a lobby allows in a window: some come a second time, with another browser. */
const GUESTS_PER_PLACE = 2;

/** How many guests an assignment allows in a window. */
export const GUESTS_PER_ASSIGNMENT = 2000;

export type InvitationKind = 'lobby' | 'assignment';

export interface Invitation {
  /** The id of what has the code, which nothing else has. */
  id: string;
  /** How many guests it may invite in a window. */
  guestsMax: number;
  kind: InvitationKind;
}

/**
 * @param code as the guest wrote it
 * @returns null where the code invites nobody now
 */
export async function findInvitation(db: Database, code: string): Promise<Invitation | null> {
  return (await toLobby(db, code)) ?? toAssignment(db, code);
}

async function toLobby(db: Database, text: string): Promise<Invitation | null> {
  const code = parseCode(text);
  const lobby = code && (await findJoinable(db, code));
  if (!lobby) return null;
  const { lobbyId, capacity } = lobby;
  return { id: lobbyId, guestsMax: GUESTS_PER_PLACE * capacity, kind: 'lobby' };
}

async function toAssignment(db: Database, text: string): Promise<Invitation | null> {
  const code = parseCode(text, CODE_LENGTH);
  const id = code && (await findOpenId(db, code));
  return id ? { id, guestsMax: GUESTS_PER_ASSIGNMENT, kind: 'assignment' } : null;
}
