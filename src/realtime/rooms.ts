// The rooms of the lobbies that have sockets on this replica, which subscribes to the channels of these lobbies only.
// Three files share the work: this one finds the room of a socket and of a channel; room.ts delivers the events of one
// lobby; subscriptions.ts has the state of one room: its sockets, how far each has got, and whose subscription ends.
// [contract 5]
import type { Cursor, Position } from '../lobby/history.ts';
import { channelOf } from '../lobby/keys.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { createChannels } from '../platform/redis/channels.ts';
import type { Services } from '../services.ts';
import type { RoomServices } from './catch-up.ts';
import { realtimeMetrics } from './metrics.ts';
import { createRoom, type Room } from './room.ts';
import type { Listener } from './subscriptions.ts';

export type Rooms = ReturnType<typeof createRooms>;

interface OpenRoom {
  room: Room;
  subscribed: Promise<void>;
  /** How many sockets are entering; the room stays open for them too. */
  entering: number;
}

/** @param onRemoved a subscription has ended because its user has left the lobby, or the lobby was closed */
export function createRooms(
  services: RoomServices & Pick<Services, 'subscriber'>,
  onRemoved: (lobbyId: string, listener: Listener) => void,
) {
  const open = new Map<string, OpenRoom>();
  const lobbyIds = new Map<string, string>();
  const channels = createChannels(services.subscriber, {
    message: (channel, message) => open.get(channel)?.room.accept(message),
    resubscribed: () => {
      for (const { room } of open.values()) {
        room.fill().catch((error: unknown) => logFailure(services.logger, 'warn', error, 'missed events not read yet'));
      }
    },
  });

  function forget(lobbyId: string, listener: Listener): void {
    lobbyIds.delete(listener.id);
    closeIfEmpty(channelOf(lobbyId));
    onRemoved(lobbyId, listener);
    listener.onRemoved?.();
  }

  function openRoom(lobbyId: string): OpenRoom {
    const channel = channelOf(lobbyId);
    const known = open.get(channel);
    if (known) return known;
    const subscribed = channels.subscribe(channel);
    const opened = { room: createRoom(services, lobbyId, forget), subscribed, entering: 0 };
    open.set(channel, opened);
    realtimeMetrics.rooms.set(open.size);
    return opened;
  }

  function closeIfEmpty(channel: string): void {
    const opened = open.get(channel);
    if (!opened || opened.entering > 0 || !opened.room.isEmpty()) return;
    open.delete(channel);
    channels.unsubscribe(channel);
    realtimeMetrics.rooms.set(open.size);
  }

  function roomOf(listener: Listener): Room | undefined {
    const lobbyId = lobbyIds.get(listener.id);
    return lobbyId === undefined ? undefined : open.get(channelOf(lobbyId))?.room;
  }

  return {
    /**
     * Subscribes a socket, which must be in no other lobby, and starts to send what its client has not seen.
     * @returns whether the socket is in the lobby
     */
    async enter(listener: Listener, lobbyId: string, cursor: Cursor | undefined): Promise<boolean> {
      const opened = openRoom(lobbyId);
      opened.entering++;
      try {
        await opened.subscribed;
        await opened.room.subscribe(listener, cursor);
        const isIn = opened.room.has(listener);
        if (isIn) lobbyIds.set(listener.id, lobbyId);
        return isIn;
      } finally {
        opened.entering--;
        closeIfEmpty(channelOf(lobbyId));
      }
    },
    leave(listener: Listener): string | null {
      const lobbyId = lobbyIds.get(listener.id);
      if (!lobbyId) return null;
      lobbyIds.delete(listener.id);
      open.get(channelOf(lobbyId))?.room.unsubscribe(listener);
      closeIfEmpty(channelOf(lobbyId));
      return lobbyId;
    },
    // These call the room's functions of the same names.
    caughtUp: async (listener: Listener) => roomOf(listener)?.caughtUp(listener),
    skipTo: (listener: Listener, position: Position) => roomOf(listener)?.skipTo(listener, position),
    requestProgress: (listener: Listener) => roomOf(listener)?.requestProgress(listener),
    lobbyOf: (listener: Listener) => lobbyIds.get(listener.id) ?? null,
    /** @returns a lobby's room, while a socket is in it or is entering */
    find: (lobbyId: string): Room | undefined => open.get(channelOf(lobbyId))?.room,
    /** @returns the rooms that have sockets and a head */
    occupied: () =>
      [...open.values()].map(({ room }) => room).filter((room) => room.head() !== null && !room.isEmpty()),
    /** Subscribes again on a new connection, since this one delivers nothing. */
    resubscribe: () => channels.reconnect(),
  };
}
