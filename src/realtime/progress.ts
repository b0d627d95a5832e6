// `game:progress` shows a host who presents a game how many players have answered. The replica that has the host's
// sockets reads the progress at an interval, so that an answer needs no further command, and no crash can lose the last
// count. A round that waits for present players alone is read on each of its replicas, and ended there. [contract 11, 25]
import { endPhase } from '../match/end-phase.ts';
import { checkRound, type MatchServices } from '../match/store.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import type { Room, Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';

/** How often the progress is read, ms: at most twice a second, even after a delay. [contract 11] */
const PROGRESS_INTERVAL_MS = 600;

export function startProgress(services: MatchServices, rooms: Rooms): () => void {
  const busy = new Set<Room>();
  const timer = setInterval(() => {
    for (const room of rooms.occupied()) {
      if (!room.presentedRound() || busy.has(room)) continue;
      busy.add(room);
      watchRound(services, room)
        .catch((error: unknown) => logFailure(services.logger, 'warn', error, 'progress not read'))
        .finally(() => busy.delete(room));
    }
  }, PROGRESS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Ends the round if it is over, or sends the progress to the presenting host's sockets that have not got it. */
async function watchRound(services: MatchServices, room: Room): Promise<void> {
  const progress = await checkRound(services.redis, room.lobbyId);
  if (progress === 'complete') await endPhase(services, room.lobbyId);
  // Meanwhile the result may have been sent, or the question of this round may not have arrived yet.
  const presented = room.presentedRound();
  if (!progress || progress === 'complete' || presented?.gameId !== progress.gameId) return;
  if (presented.round !== progress.round) return;
  const { gameId, round, answered, awaited, version, openedVersion, players } = progress;
  const message = { type: 'game:progress', gameId, round, answered, awaited } satisfies GameProgressMessage;
  const text = JSON.stringify(message);
  const now = `${version} ${awaited}`;
  for (const subscription of presented.presenting) {
    // A round opens for all players.
    if (now === (subscription.progress ?? `${openedVersion} ${players}`)) continue;
    subscription.progress = now;
    subscription.listener.send(text);
  }
}
