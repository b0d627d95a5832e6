// Deletes waiting lobbies in which nobody has been connected for LOBBY_IDLE_TTL_SECONDS, and
// finished ones after the same time; results stay. [contract 4]
import type { Config } from '../src/config.ts';
import { announceClosed, type LiveDeps, lastSeenMs } from '../src/lobby/event-log.ts';
import { deleteIdle, listIdle, noteActive } from '../src/lobby/idle-store.ts';
import { connectedUsers } from '../src/lobby/presence.ts';
import { findById } from '../src/lobby/store.ts';
import type { Logger } from '../src/platform/logger.ts';
import type { Database } from '../src/platform/postgres.ts';

const BATCH = 200;
const MINUTE_MS = 60_000;

interface Deps extends LiveDeps {
  config: Pick<Config, 'lobbyIdleTtlSeconds'>;
  db: Database;
  logger: Logger;
  nowMs(): number;
}

/** How often to look: often enough for the time to live, and not more than once a second. */
export function idleSweepMs({ config }: Pick<Deps, 'config'>): number {
  return Math.min(MINUTE_MS, Math.max(1000, (config.lobbyIdleTtlSeconds * 1000) / 4));
}

/** Looks at the lobbies that PostgreSQL has not heard of for long; Redis knows who is connected. */
export async function removeIdleLobbies(deps: Deps): Promise<void> {
  const before = new Date(deps.nowMs() - deps.config.lobbyIdleTtlSeconds * 1000);
  for (const status of ['waiting', 'finished'] as const) {
    for (;;) {
      const lobbyIds = await listIdle(deps.db, status, before, BATCH);
      for (const lobbyId of lobbyIds) await removeIfIdle(deps, lobbyId, status, before);
      if (lobbyIds.length < BATCH) break;
    }
  }
}

/** Either deletes the lobby or notes its activity, so that the next look passes over it. */
async function removeIfIdle(
  deps: Deps,
  lobbyId: string,
  status: 'waiting' | 'finished',
  before: Date,
): Promise<void> {
  const activeMs = await lastActiveMs(deps, lobbyId);
  if (activeMs && activeMs >= before.getTime()) {
    await noteActive(deps.db, lobbyId, new Date(activeMs));
    return;
  }
  const stored = await findById(deps.db, lobbyId);
  if (!stored || !(await deleteIdle(deps.db, lobbyId, status, before))) return;
  await announceClosed(deps, stored.roster, 'expired');
  deps.logger.info({ lobbyId, status }, 'idle lobby removed');
}

/** Now, while somebody is connected: what was noted of that is up to a few seconds old. */
async function lastActiveMs(deps: Deps, lobbyId: string): Promise<number | null> {
  const connected = await connectedUsers(deps, lobbyId);
  return connected.size > 0 ? deps.nowMs() : lastSeenMs(deps.redis, lobbyId);
}
