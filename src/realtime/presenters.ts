// Tracks the sockets of a host who presents a game instead of playing in it: the round that they show, and
// the progress that each was sent last. [contract 11, game:progress]
import type { LogEntry } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import type { Listener } from './subscription.ts';

/** An open round, and the sockets of the host who presents it. */
export interface PresentedRound {
  gameId: string;
  round: number;
  /** The sockets, and the version of the game whose progress each was sent last; null: none of this round. */
  sentVersions: Map<Listener, number | null>;
}

/** A version that no game has: the socket gets the progress in any case. */
const OUTDATED = -1;

export interface Presenters {
  setLobby(roster: Roster): void;
  /** An event was delivered, or a snapshot has shown what is on the screen. */
  noteEvent(entry: LogEntry): void;
  /** No round is known to be open. */
  forgetRound(): void;
  /** @returns the open round, if any of the sockets presents it */
  openRound(listeners: Iterable<Listener>): PresentedRound | null;
  /** Makes the socket get the progress again, if it presents. */
  requestProgress(listener: Listener): void;
}

export function createPresenters(): Presenters {
  let lobby: Roster | null = null;
  let open: { gameId: string; round: number } | null = null;
  const sentVersions: PresentedRound['sentVersions'] = new Map();

  const isPresenting = ({ userId }: Listener) => lobby?.settings.hostPlays === false && lobby.hostId === userId;

  return {
    setLobby(roster) {
      lobby = roster;
    },
    noteEvent({ type, gameId, round }) {
      if (!type.startsWith('game:') && type !== 'lobby:closed') return;
      open = type === 'game:question' ? ({ gameId, round } as typeof open) : null;
      for (const listener of sentVersions.keys()) sentVersions.set(listener, null);
    },
    forgetRound() {
      open = null;
    },
    openRound(listeners) {
      if (!open || lobby?.settings.hostPlays !== false) return null;
      const presenting = new Set<Listener>();
      for (const listener of listeners) if (isPresenting(listener)) presenting.add(listener);
      for (const listener of presenting) if (!sentVersions.has(listener)) sentVersions.set(listener, null);
      for (const listener of sentVersions.keys()) if (!presenting.has(listener)) sentVersions.delete(listener);
      return sentVersions.size > 0 ? { ...open, sentVersions } : null;
    },
    requestProgress(listener) {
      if (isPresenting(listener)) sentVersions.set(listener, OUTDATED);
    },
  };
}
