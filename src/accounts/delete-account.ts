// The end of an account. It is noted before anything else is done, and every step can be done again,
// so that a worker finishes what a crash leaves half done. [contract 17]
import { announceLobby } from '../lobby/announce.ts';
import { leaveLobby } from '../lobby/leave-lobby.ts';
import { findById } from '../lobby/store.ts';
import type { MatchDeps } from '../match/deps.ts';
import { leaveMatch } from '../match/leave-match.ts';
import { type SignOutDeps, signOutEverywhere } from './sign-out-everywhere.ts';
import {
  forgetDeletion,
  listDone,
  listGoneGuests,
  listUnfinished,
  noteDeletion,
  removeUser,
  renameResults,
} from './store.ts';

export type DeletionDeps = MatchDeps & SignOutDeps;

/** Accounts a look of the worker. */
const BATCH = 100;

/** Longer than a game runs, and its result waits to be stored. */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * Deletes an account: signs it out, leaves its lobbies as `lobby:leave` does, renames it in stored
 * results, and removes it with what hangs on it. Unknown ids are passed over.
 *
 * @param keepsName whether stored results keep the name; once somebody has said no, they don't
 */
export async function deleteAccount(
  deps: DeletionDeps,
  userId: string,
  keepsName = false,
): Promise<void> {
  for (;;) {
    const lobbyIds = await noteDeletion(deps.db, userId, keepsName);
    if (!lobbyIds) return;
    await signOutEverywhere(deps, userId);
    for (const lobbyId of lobbyIds) await leaveForGood(deps, lobbyId, userId);
    await renameResults(deps.db, userId);
    if (await removeUser(deps.db, userId, (tokens) => forget(deps, tokens))) break;
  }
  deps.logger.info({ event: 'account-deletion', outcome: 'done', userId }, 'account');
}

/** A worker's chore: finishes what others have begun, and forgets what is long done. */
export async function finishDeletions(deps: DeletionDeps): Promise<void> {
  // What was noted of their names holds.
  for (const userId of await listUnfinished(deps.db, BATCH))
    await deleteAccount(deps, userId, true);
  for (const userId of await listDone(deps.db, new Date(Date.now() - KEPT_MS), BATCH)) {
    await renameResults(deps.db, userId);
    await forgetDeletion(deps.db, userId);
  }
}

/**
 * A worker's chore: removes the guests who have no session any more and are in no game that runs.
 * Stored results keep their names. [contract 11]
 */
export async function removeGuests(deps: DeletionDeps): Promise<void> {
  for (const userId of await listGoneGuests(deps.db, BATCH))
    await deleteAccount(deps, userId, true);
}

/** Also when the user has left already: those who stay may not have been told. */
async function leaveForGood(deps: DeletionDeps, lobbyId: string, userId: string): Promise<void> {
  const stored = await findById(deps.db, lobbyId);
  if (stored) await leaveLobby(deps, stored.roster, userId);
  const without = await announceLobby(deps, lobbyId);
  if (without) await leaveMatch(deps, lobbyId, userId, without.version);
}

async function forget({ sessionCache }: DeletionDeps, tokens: string[]): Promise<void> {
  await Promise.all(tokens.map((token) => sessionCache.remove(token)));
}
