// A code that a guest brings invites the guest: whoever has it belongs to a class, and is counted for the lobby or
// the assignment before the address, which a whole school may share. [contract 22]
import { CODE_LENGTH } from '../../assignments/rules.ts';
import { findOpenId } from '../../assignments/store.ts';
import { BUDGETS } from '../../budgets.ts';
import { parseCode } from '../../lobby/rules.ts';
import { findJoinable } from '../../lobby/store.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { ListParams } from '../../vocabulary/lists/schema.ts';
import { isShared } from '../../vocabulary/lists/store.ts';
import type { Invitation } from './schema.ts';

/** What has a code that admits guests. */
export interface Admission {
  /** The id of what has the code, which nothing else has. */
  id: string;
  /** How many guests it may invite from an address in a window. */
  guestsMax: number;
  kind: Exclude<Invitation['kind'], 'list'>;
}

/**
 * @param code as the guest wrote it
 * @returns null where the code admits nobody now
 */
export async function findAdmission(db: Database, code: string): Promise<Admission | null> {
  return (await toLobby(db, code)) ?? toAssignment(db, code);
}

/**
 * @param code a code as somebody wrote it, or the id of a list. Everybody may read a shared list, so that its id admits
 *   no further guests
 * @returns null where it leads a stranger nowhere now
 */
export async function findInvitation(db: Database, code: string): Promise<Invitation | null> {
  const { data } = ListParams.safeParse({ listId: code });
  if (data) return (await isShared(db, data.listId)) ? { kind: 'list' } : null;
  const admission = await findAdmission(db, code);
  return admission && { kind: admission.kind };
}

async function toLobby(db: Database, text: string): Promise<Admission | null> {
  const code = parseCode(text);
  const lobby = code && (await findJoinable(db, code));
  if (!lobby) return null;
  const { lobbyId, capacity } = lobby;
  return { id: lobbyId, guestsMax: BUDGETS.guestsOfPlace.max * capacity, kind: 'lobby' };
}

async function toAssignment(db: Database, text: string): Promise<Admission | null> {
  const code = parseCode(text, CODE_LENGTH);
  const id = code && (await findOpenId(db, code));
  return id ? { id, guestsMax: BUDGETS.guestsOfAssignment.max, kind: 'assignment' } : null;
}
