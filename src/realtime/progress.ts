// `game:progress` shows a host who presents a game how many players have answered. The replica that has the host's
// sockets reads the progress at an interval, so that an answer needs no further command, and no crash can lose the last
// count. [contract 11]
import type { LogEntry } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import { readProgress } from '../match/store.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import type { Services } from '../services.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';
import type { Listener } from './subscriptions.ts';

/** An open round, and the sockets of the host who presents it. */
export interface PresentedRound {
  gameId: string;
  round: number;
  /** The sockets, and the version of the game whose progress each was sent last; null: none of this round. */
  sentVersions: Map<Listener, number | null>;
}

export type Presenters = ReturnType<typeof createPresenters>;

/** A version that no game has: the socket gets the progress in any case. */
const OUTDATED = -1;

/**
 * Tracks the sockets of a host who presents a game: the round that they show, and the progress that each was sent last.
 */
export function createPresenters() {
  let lobby: Roster | null = null;
  let open: { gameId: string; round: number } | null = null;
  const sentVersions: PresentedRound['sentVersions'] = new Map();

  const isPresenting = ({ userId }: Listener) => lobby?.settings.hostPlays === false && lobby.hostId === userId;

  return {
    setLobby(roster: Roster): void {
      lobby = roster;
    },
    /** An event was delivered, or a snapshot has shown it. */
    noteEvent({ type, gameId, round }: LogEntry): void {
      if (!type.startsWith('game:') && type !== 'lobby:closed') return;
      open = type === 'game:question' ? ({ gameId, round } as typeof open) : null;
      for (const listener of sentVersions.keys()) sentVersions.set(listener, null);
    },
    /** No round is known to be open. */
    forgetRound(): void {
      open = null;
    },
    /** @returns the open round, if any of the sockets presents it */
    openRound(listeners: Iterable<Listener>): PresentedRound | null {
      if (!open || lobby?.settings.hostPlays !== false) return null;
      const presenting = new Set<Listener>();
      for (const listener of listeners) if (isPresenting(listener)) presenting.add(listener);
      for (const listener of presenting) if (!sentVersions.has(listener)) sentVersions.set(listener, null);
      for (const listener of sentVersions.keys()) if (!presenting.has(listener)) sentVersions.delete(listener);
      return sentVersions.size > 0 ? { ...open, sentVersions } : null;
    },
    /** Makes the socket get the progress again, if it presents. */
    requestProgress(listener: Listener): void {
      if (isPresenting(listener)) sentVersions.set(listener, OUTDATED);
    },
  };
}

/** How often the progress is read, ms: at most twice a second, even after a delay. [contract 11] */
const PROGRESS_INTERVAL_MS = 600;

/** @returns a function that stops it */
export function startProgress(services: Pick<Services, 'redis' | 'logger'>, rooms: Rooms): () => void {
  const busy = new Set<Room>();
  const timer = setInterval(() => {
    for (const room of rooms.occupied()) {
      if (!room.presentedRound() || busy.has(room)) continue;
      busy.add(room);
      sendProgress(services, room)
        .catch((error: unknown) => logFailure(services.logger, 'warn', error, 'progress not sent'))
        .finally(() => busy.delete(room));
    }
  }, PROGRESS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Sends the progress to the presenting host's sockets that have not got this version of it. */
async function sendProgress({ redis }: Pick<Services, 'redis'>, room: Room): Promise<void> {
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
