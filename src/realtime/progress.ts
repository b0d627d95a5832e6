// `game:progress` shows a presenting host how many players have answered. The replica that has the host's
// sockets reads the progress at an interval, so that an answer needs no further command, and no crash can
// lose the last count. [contract 11]
import { readProgress } from '../match/store.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';

/** How often the progress is read, ms: at most twice a second, even after a delay. [contract 11] */
const PROGRESS_INTERVAL_MS = 600;

interface ProgressDeps {
  redis: RedisClient;
  logger: Logger;
}

/** @returns a function that stops it */
export function startProgress(deps: ProgressDeps, rooms: Rooms): () => void {
  const busy = new Set<Room>();
  const timer = setInterval(() => {
    for (const room of rooms.occupied()) {
      if (!room.presentedRound() || busy.has(room)) continue;
      busy.add(room);
      sendProgress(deps, room)
        .catch((error: unknown) => logFailure(deps.logger, 'warn', error, 'progress not sent'))
        .finally(() => busy.delete(room));
    }
  }, PROGRESS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Sends the progress to the presenting host's sockets that have not got this version of it. */
async function sendProgress({ redis }: ProgressDeps, room: Room): Promise<void> {
  const progress = await readProgress(redis, room.lobbyId);
  // Meanwhile the result may have been sent, or the question of this round may not have arrived yet.
  const presented = room.presentedRound();
  if (!progress || presented?.gameId !== progress.gameId) return;
  if (presented.round !== progress.round) return;
  const { gameId, round, answered, awaited, version, openedVersion } = progress;
  const text = JSON.stringify({
    type: 'game:progress',
    gameId,
    round,
    answered,
    awaited,
  } satisfies GameProgressMessage);
  for (const [listener, sentVersion] of presented.sentVersions) {
    if (version === (sentVersion ?? openedVersion)) continue;
    presented.sentVersions.set(listener, version);
    listener.send(text);
  }
}
