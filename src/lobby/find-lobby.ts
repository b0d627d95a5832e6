// Finds a lobby by its code for a member. [contract 4, 5.1, 11, 17]
import { AppError } from '../errors.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import type { CodeSender } from './code-misses.ts';
import { type CodeLookup, findForMember, membershipOf } from './lookup-store.ts';
import { parseCode } from './rules.ts';
import type { StoredLobby } from './store.ts';

/** What a code of a lobby or an assignment is looked up with. */
export type FindServices = Pick<Services, 'codeMisses' | 'db'> & { postgres: Postgres };

/**
 * @param code as the user wrote it
 * @throws AppError LOBBY_NOT_FOUND, NOT_A_MEMBER; RATE_LIMITED instead of both after too many of them
 */
export async function findLobbyOf(deps: FindServices, code: string, sender: CodeSender): Promise<StoredLobby> {
  const { lookup, stored } = await find(deps, code, sender);
  return stored ?? refuseStranger(deps, lookup, sender);
}

/** As `findLobbyOf`, for a socket that joins: a removed player gets KICKED. */
export async function findLobbyToEnter(deps: FindServices, code: string, sender: CodeSender): Promise<StoredLobby> {
  const { lookup, stored } = await find(deps, code, sender);
  if (stored) return stored;
  if (lookup && (await membershipOf(deps.postgres, lookup)) === 'kicked') {
    await deps.codeMisses.check(sender);
    throw new AppError('KICKED');
  }
  return refuseStranger(deps, lookup, sender);
}

/** @returns what is looked up, unless the text is no code, and the lobby if the user is a member */
async function find({ postgres }: FindServices, text: string, { userId }: CodeSender) {
  const code = parseCode(text);
  const lookup = code === null ? null : { code, userId };
  return { lookup, stored: lookup && (await findForMember(postgres, lookup)) };
}

async function refuseStranger(
  { postgres, codeMisses }: FindServices,
  lookup: CodeLookup | null,
  sender: CodeSender,
): Promise<never> {
  // Counting comes before the query, so that the time of RATE_LIMITED shows nothing of the lobby.
  await codeMisses.count(sender);
  if (!lookup || !(await membershipOf(postgres, lookup))) throw new AppError('LOBBY_NOT_FOUND');
  throw new AppError('NOT_A_MEMBER');
}
