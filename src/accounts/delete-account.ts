// Deletes an account with everything that references it. The deletion is recorded first, and every step is idempotent,
// so that a worker can finish what a crash has left unfinished. [contract 17]
import { deleteAssignment } from '../assignments/manage-assignments.ts';
import { announceLobby } from '../lobby/event-log.ts';
import { leaveLobby } from '../lobby/leave-lobby.ts';
import { leaveMatch } from '../match/leave-match.ts';
import type { MatchServices } from '../match/store.ts';
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import { isUnreachable } from '../platform/outages/outage.ts';
import type { Services } from '../services.ts';
import * as store from './store.ts';

export type DeletionServices = MatchServices & Pick<Services, 'sessionCache'>;

/** The number of deletions that a worker claims at a time. It tries everything that it claims. */
const BATCH = 5;
/** The number of guests whose deletion one statement records. */
const NOTED_AT_ONCE = 500;
/** The longest turn of the worker; the rest waits for its next turn, as other chores do. */
const TURN_MS = 3000;
/** How long a deletion is remembered: longer than a game runs and its result waits to be stored. */
const KEPT_MS = 24 * 3600 * 1000;
/** Each further attempt means that the user has joined a lobby since the last. */
const ATTEMPTS = 5;

/**
 * It leaves lobbies as `lobby:leave` does, and ignores an unknown id.
 * @param keepsName whether stored results keep the name; a `false` of an earlier call stays in force
 * @throws Error if the user joins lobbies faster than they can be left; the next call goes on
 */
export async function deleteAccount(deps: DeletionServices, userId: string, keepsName = false): Promise<void> {
  const outcome = await retryOptimisticWrite(ATTEMPTS, async () => {
    const lobbyIds = await store.noteDeletion(deps.db, userId, keepsName);
    if (!lobbyIds) return 'unknown user';
    await store.signOutEverywhere(deps, userId);
    for (const lobbyId of lobbyIds) {
      await leaveLobby(deps, lobbyId, [userId]);
      // Even if the user was no member any more: the announcement may not have been published.
      const without = await announceLobby(deps, lobbyId);
      if (without) await leaveMatch(deps, lobbyId, userId, without.version);
    }
    await store.renameResults(deps.db, userId);
    const assignments = await deps.db.assignment.findMany({ where: { ownerId: userId }, select: { id: true } });
    for (const { id } of assignments) await deleteAssignment(deps.db, id);
    const isRemoved = await store.removeUser(deps, userId);
    return isRemoved ? 'removed' : undefined;
  });
  if (!outcome) throw new Error('the user is in a lobby after each attempt to leave all');
  if (outcome === 'unknown user') return;
  // Stored results keep a guest's name, so that nothing is left to rename later.
  await deps.db.userDeletion.deleteMany({ where: { userId, keepsName: true } });
  deps.logger.info({ event: 'account-deletion', outcome: 'done', userId }, 'account');
}

/**
 * A worker's chore: finishes deletions that were begun, and removes old records of finished ones.
 * @throws an outage's error if a store can't be reached; any other failure is logged and affects one account
 */
export async function finishDeletions(deps: DeletionServices, turnMs = TURN_MS): Promise<void> {
  const endsMs = performance.now() + turnMs;
  let claimed: string[];
  do {
    claimed = await store.claimUnfinished(deps.db, BATCH);
    // The recorded deletion says whether results keep the name.
    await each(deps, claimed, (userId) => deleteAccount(deps, userId, true));
  } while (claimed.length === BATCH && performance.now() < endsMs);
  const done = await store.listDone(deps.db, new Date(Date.now() - KEPT_MS), BATCH);
  await each(deps, done, async (userId) => {
    await store.renameResults(deps.db, userId);
    await deps.db.userDeletion.deleteMany({ where: { userId } });
  });
}

async function each({ logger }: DeletionServices, userIds: string[], step: (userId: string) => Promise<void>) {
  for (const userId of userIds) {
    try {
      await step(userId);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      logger.error({ err: error, userId }, 'a deletion is not finished: tried again later');
    }
  }
}

/** A worker's chore: removes guests who have no session and play in no running game. [contract 11] */
export async function removeGuests(deps: DeletionServices, turnMs = TURN_MS): Promise<void> {
  const endsMs = performance.now() + turnMs;
  let noted: number;
  do {
    noted = await store.noteGoneGuests(deps.db, NOTED_AT_ONCE);
  } while (noted === NOTED_AT_ONCE && performance.now() < endsMs);
  await finishDeletions(deps, turnMs);
}
