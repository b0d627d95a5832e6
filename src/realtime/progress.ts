// `game:progress` shows a host who presents a game how many players have answered. The replica that has the host's
// sockets reads the progress at an interval, so that an answer needs no further command, and no crash can lose the last
// count. A round that waits for present players alone is read on each of its replicas, and ended there. [contract 11, 25]
import type { LogEntry } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import { endPhase } from '../match/end-phase.ts';
import { checkRound, type MatchServices } from '../match/store.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';
import type { Listener, Subscription } from './subscriptions.ts';

/** A progress that no round has: the socket gets the present one in any case. */
const OUTDATED = '';

/** Tracks the sockets of a host who presents a game, and the round that they show. */
export function createPresenters() {
  let lobby: Roster | null = null;
  let open: { gameId: string; round: number } | null = null;
  /** The sockets, and the progress that each was sent last; null: none of this round. */
  const sent = new Map<Listener, string | null>();

  const isPresenting = ({ userId }: Listener) => lobby?.settings.hostPlays === false && lobby.hostId === userId;

  return {
    setLobby(roster: Roster): void {
      lobby = roster;
    },
    /** An event was delivered, or a snapshot has shown it. */
    noteEvent({ type, gameId, round }: LogEntry): void {
      if (!type.startsWith('game:') && type !== 'lobby:closed') return;
      open = type === 'game:question' ? ({ gameId, round } as typeof open) : null;
      for (const listener of sent.keys()) sent.set(listener, null);
    },
    forgetRound(): void {
      open = null;
    },
    /** @returns the open round, if any of the live ones presents it, or if it waits for present players alone */
    openRound(subscriptions: Iterable<Subscription>) {
      if (!open || !lobby || (lobby.settings.hostPlays && lobby.settings.waitFor === 'all')) return null;
      const presenting = new Set<Listener>();
      for (const { listener, isLive } of subscriptions) if (isLive && isPresenting(listener)) presenting.add(listener);
      for (const listener of presenting) if (!sent.has(listener)) sent.set(listener, null);
      for (const listener of sent.keys()) if (!presenting.has(listener)) sent.delete(listener);
      return sent.size > 0 || lobby.settings.waitFor === 'present' ? { ...open, sent } : null;
    },
    /** Makes the socket get the progress again, if it presents. */
    requestProgress(listener: Listener): void {
      if (isPresenting(listener)) sent.set(listener, OUTDATED);
    },
  };
}

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
  for (const [listener, sent] of presented.sent) {
    // A round opens for all players.
    if (now === (sent ?? `${openedVersion} ${players}`)) continue;
    presented.sent.set(listener, now);
    listener.send(text);
  }
}
