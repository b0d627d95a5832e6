// Deletes what has expired: rows in PostgreSQL, and waiting and finished lobbies in which nobody was connected for
// LOBBY_IDLE_TTL_SECONDS, whose results stay. [contract 4, 11, 17]
import { BUDGETS } from '../src/budgets.ts';
import type { CommonServices } from '../src/common-services.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { announceClosed, type LobbyServices, lastSeenMs } from '../src/lobby/event-log.ts';
import { connectedUsers } from '../src/lobby/presence.ts';
import { type ActivityPlace, deleteIdle, findById, listByActivity, noteActive } from '../src/lobby/store.ts';
import { isUnreachable } from '../src/platform/outages/outage.ts';

/** How many rows one statement deletes; with more it would lock rows for too long. */
const BATCH_ROWS = 1000;

const UNCONFIRMED_FOR = `${BUDGETS.unconfirmed.max} ${BUDGETS.unconfirmed.unit}`;

/** What is deleted, by its name in the log: the table, its key, and which of the rows have expired. */
const EXPIRED = {
  sessions: ['session', 'id', 'expires_at < now()'],
  verifications: ['verification', 'id', 'expires_at < now()'],
  unconfirmed: [
    '"user"',
    'id',
    `NOT email_verified AND is_anonymous IS NOT TRUE AND created_at < now() - interval '${UNCONFIRMED_FOR}'`,
  ],
  // A sign-up stays for a day after another one has confirmed its address: its link may still be valid.
  signUps: [
    'sign_up',
    'id',
    `created_at < now() - interval '1 day'
       AND EXISTS (SELECT FROM "user" u WHERE u.id = sign_up.user_id AND u.email_verified)`,
  ],
  // Learning, which reads these two, takes seconds.
  handOvers: ['guest_hand_over', 'guest_id', "created_at < now() - interval '7 days'"],
  learnedQuizzes: ['learned_quiz', 'session_id', "learned_at < now() - interval '7 days'"],
} as const;

export async function removeExpired({ db, logger }: Pick<CommonServices, 'db' | 'logger'>) {
  const removed: Record<string, number> = {};
  for (const [name, [table, key, condition]] of Object.entries(EXPIRED)) {
    // With SKIP LOCKED, concurrent workers don't wait for each other.
    const deletion = Prisma.raw(`DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`);
    removed[name] = 0;
    let deleted: number;
    do {
      deleted = await db.$executeRaw(deletion);
      removed[name] += deleted;
    } while (deleted === BATCH_ROWS);
  }
  if (Object.values(removed).some(Boolean)) logger.info(removed, 'expired rows removed');
}

/** How many idle lobbies are read at once. */
const LOBBIES_AT_ONCE = 200;

type IdleLobbyServices = LobbyServices & Pick<CommonServices, 'config' | 'db' | 'logger' | 'nowMs'>;

/** @returns the pause between two sweeps, ms: a quarter of the time to live, between a second and a minute */
export function idleSweepMs({ config }: Pick<CommonServices, 'config'>): number {
  return Math.min(60_000, Math.max(1000, (config.lobbyIdleTtlSeconds * 1000) / 4));
}

/**
 * Checks the lobbies whose last activity in PostgreSQL is old against Redis, which knows the connected users.
 * @throws an outage's error if a store can't be reached; any other failure is logged and affects one lobby
 */
export async function removeIdleLobbies(deps: IdleLobbyServices): Promise<void> {
  const before = new Date(deps.nowMs() - deps.config.lobbyIdleTtlSeconds * 1000);
  for (const status of ['waiting', 'finished'] as const) {
    let lobbies: ActivityPlace[] = [];
    do {
      // The list goes on behind a lobby that can't be removed.
      lobbies = await listByActivity(deps.db, status, { after: lobbies.at(-1), before, limit: LOBBIES_AT_ONCE });
      for (const { lobbyId } of lobbies)
        await removeIfIdle(deps, lobbyId, status, before).catch((error: unknown) => {
          if (isUnreachable(error)) throw error;
          deps.logger.error({ err: error, lobbyId }, 'idle lobby not removed');
        });
    } while (lobbies.length === LOBBIES_AT_ONCE);
  }
}

/** Deletes the lobby, or stores its last activity, so that the next sweep skips it. */
async function removeIfIdle(deps: IdleLobbyServices, lobbyId: string, status: 'waiting' | 'finished', before: Date) {
  const connected = await connectedUsers(deps, lobbyId);
  // While a user is connected, the lobby is active now, since the stored time is older.
  const activeMs = connected.size > 0 ? deps.nowMs() : await lastSeenMs(deps.redis, lobbyId);
  if (activeMs && activeMs >= before.getTime()) return noteActive(deps.db, lobbyId, new Date(activeMs));
  const stored = await findById(deps.postgres, lobbyId);
  if (!stored || !(await deleteIdle(deps.db, lobbyId, status, before))) return;
  await announceClosed(deps, stored.roster, 'expired');
  deps.logger.info({ lobbyId, status }, 'idle lobby removed');
}
