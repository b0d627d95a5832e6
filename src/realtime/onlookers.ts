// The sockets of a lobby's host that look on at a game instead of playing: which round they see, and what
// they were told of it. [contract 11, game:progress]
import type { LogEntry } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import type { Listener } from './room.ts';

/** A round that a host looks on at. */
export interface Presented {
  gameId: string;
  round: number;
  /** The sockets, and the version of the game that each was told last; null: none of this round. */
  seen: Map<Listener, number | null>;
}

/** What `seen` holds for a socket that has to be told whatever there is. */
const UNTOLD = -1;

export interface Onlookers {
  /** The lobby is known to be like this. */
  setLobby(roster: Roster): void;
  /** An event has gone out, or has replaced what was on the screens. */
  noteRound(entry: LogEntry): void;
  /** No round is known to be open. */
  forgetRound(): void;
  /** @returns what is to be shown to those of the sockets that look on, if there is anything */
  presented(listeners: Iterable<Listener>): Presented | null;
  /** This socket is told anew, if it looks on. */
  ask(listener: Listener): void;
}

export function createOnlookers(): Onlookers {
  let lobby: Roster | null = null;
  let open: { gameId: string; round: number } | null = null;
  const seen: Presented['seen'] = new Map();

  const isPresenting = ({ userId }: Listener) =>
    lobby?.settings.hostPlays === false && lobby.hostId === userId;

  return {
    setLobby(roster) {
      lobby = roster;
    },
    noteRound({ type, gameId, round }) {
      if (!type.startsWith('game:') && type !== 'lobby:closed') return;
      open = type === 'game:question' ? ({ gameId, round } as typeof open) : null;
      for (const listener of seen.keys()) seen.set(listener, null);
    },
    forgetRound() {
      open = null;
    },
    presented(listeners) {
      if (!open || lobby?.settings.hostPlays !== false) return null;
      const here = new Set<Listener>();
      for (const listener of listeners) if (isPresenting(listener)) here.add(listener);
      for (const listener of here) if (!seen.has(listener)) seen.set(listener, null);
      for (const listener of seen.keys()) if (!here.has(listener)) seen.delete(listener);
      return seen.size > 0 ? { ...open, seen } : null;
    },
    ask(listener) {
      if (isPresenting(listener)) seen.set(listener, UNTOLD);
    },
  };
}
