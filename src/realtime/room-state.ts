// The state of a room: the subscriptions of this replica's sockets to one lobby, and the last event that the
// live ones have. [contract 5.9, 10]
import type { LiveState } from '../lobby/event-log.ts';
import type { LogEntry, Position } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import { endForDeparted } from './membership.ts';
import { createPresenters, type Presenters } from './presenters.ts';
import type { Listener, Subscription } from './subscription.ts';

export interface RoomState {
  readonly lobbyId: string;
  /** The subscriptions by the ids of their sockets. */
  readonly subscriptions: Map<string, Subscription>;
  readonly presenters: Presenters;
  /** The last event that was delivered to the live subscriptions; null until the first socket subscribes. */
  head: Position | null;
  headSeq(): number;
  live(): Subscription[];
  isOpen(subscription: Subscription): boolean;
  /** Ends a subscription because its user has left the lobby, or the lobby was closed. */
  remove(subscription: Subscription): void;
  /** Ends the subscriptions of users who are no longer members according to this event. */
  removeDeparted(entry: LogEntry): void;
  /** Notes an event that was delivered or replayed, unless it is older than a noted one. */
  note(entry: LogEntry): void;
  /** The events after this state are delivered from now on. */
  startAt(live: LiveState): void;
}

export interface RoomStateDeps {
  onRemoved(lobbyId: string, listener: Listener): void;
  /** A `lobby:state` was delivered or replayed that is newer than those before. */
  onLobbyState(state: LogEntry): void;
}

export function createRoomState(lobbyId: string, { onRemoved, onLobbyState }: RoomStateDeps): RoomState {
  const subscriptions = new Map<string, Subscription>();
  const presenters = createPresenters();
  let notedSeq = 0;

  const state: RoomState = {
    lobbyId,
    subscriptions,
    presenters,
    head: null,
    headSeq: () => state.head?.seq ?? 0,
    live: () => [...subscriptions.values()].filter(({ isLive }) => isLive),
    isOpen: (subscription) => subscriptions.get(subscription.listener.id) === subscription,
    remove({ listener }) {
      subscriptions.delete(listener.id);
      onRemoved(lobbyId, listener);
    },
    // The user who leaves gets no message, and all sockets of the user leave. [contract 10]
    removeDeparted(entry) {
      const { type, seq, leaverId } = entry;
      const isEnded = type === 'lobby:state' ? endForDeparted(entry) : null;
      for (const subscription of subscriptions.values()) {
        const { listener, memberSinceSeq } = subscription;
        const hasLeft = type === 'lobby:closed' && listener.userId === leaverId;
        if (hasLeft || (seq > memberSinceSeq && isEnded?.(listener))) state.remove(subscription);
      }
    },
    note(entry) {
      if (entry.seq <= notedSeq) return;
      notedSeq = entry.seq;
      presenters.noteEvent(entry);
      if (entry.type !== 'lobby:state') return;
      presenters.setLobby(entry.lobby as Roster);
      onLobbyState(entry);
    },
    startAt({ seq, mark, roster, screen }) {
      state.head = { seq, mark };
      notedSeq = seq;
      if (roster) presenters.setLobby(roster);
      presenters.forgetRound();
      if (screen) presenters.noteEvent(screen);
    },
  };
  return state;
}
