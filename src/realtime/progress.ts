// game:progress: a host who presents sees how many have answered. Whoever has the host's sockets looks
// now and then; so an answer costs nothing more, and no process can take the last count with it.
// [contract 11]
import { readProgress } from '../match/store.ts';
import type { Logger } from '../platform/logger.ts';
import { countOutage } from '../platform/outage-log.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';

/** So that there are never more than two a second, however busy the process is. [contract 11] */
const PROGRESS_MS = 600;

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
