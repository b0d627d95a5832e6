// game:progress: a host who presents sees how many have answered. Whoever has the host's sockets looks
// twice a second; so an answer costs nothing more, and no process can take the last count with it.
// [contract 11]
import { readProgress } from '../match/store.ts';
import type { Logger } from '../platform/logger.ts';
import { countOutage } from '../platform/outage-log.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { Listener, Room } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';

/** [contract 11: at most two a second] */
const PROGRESS_MS = 500;

export interface ProgressDeps {
  redis: RedisClient;
  logger: Logger;
}

/** @returns what stops it */
export function startProgress(deps: ProgressDeps, rooms: Rooms): () => void {
  const busy = new Set<Room>();
  const timer = setInterval(() => {
    for (const room of rooms.occupied()) {
      if (!room.presented() || busy.has(room)) continue;
      busy.add(room);
      tellProgress(deps, room)
        .catch((error: unknown) => {
          if (!countOutage(deps.logger, error)) deps.logger.warn({ err: error }, 'no progress');
        })
        .finally(() => busy.delete(room));
    }
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

/** Tells the presenting host's sockets what has changed since they were told last. */
async function tellProgress({ redis }: ProgressDeps, room: Room): Promise<void> {
  const progress = await readProgress(redis, room.lobbyId);
  // The result may have gone out meanwhile, and the question be still on its way.
  const presented = room.presented();
  if (!progress || presented?.gameId !== progress.gameId) return;
  if (presented.round !== progress.round) return;
  const { gameId, round, answered, awaited, version, openedVersion } = progress;
  const text = JSON.stringify({
    ...{ type: 'game:progress', gameId, round, answered, awaited },
  } satisfies GameProgressMessage);
  for (const [listener, seen] of presented.seen) {
    if (version === (seen ?? openedVersion)) continue;
    presented.seen.set(listener, version);
    listener.send(text);
  }
}

/** What `seen` holds for a socket that has to be told whatever there is. */
export const UNTOLD = -1;

/** Which sockets look on, and the version of the game that each was told last; null: none yet. */
export type Seen = Map<Listener, number | null>;
