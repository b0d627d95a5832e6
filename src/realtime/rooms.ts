// The lobbies that have sockets on this replica. It subscribes to these alone, and keeps what holds
// them true: presence, the comparison with the lobby's last number, rounds that nobody resolved.

import type { Since } from '../lobby/history.ts';
import { channelOf } from '../lobby/keys.ts';
import type { Roster } from '../lobby/schema.ts';
import { createChannels } from '../platform/channels.ts';
import { countOutage } from '../platform/outage-log.ts';
import type { RedisClient } from '../platform/redis.ts';
import { realtimeMetrics } from './metrics.ts';
import { createRoom, type Listener, type Room, type RoomDeps } from './room.ts';

export interface Rooms {
  /**
   * Sends what the socket has not seen, then seats it. The socket must be in no other lobby.
   * @param since the last event it saw
   * @param roster the lobby as it was found
   * @returns whether it is in
   */
  enter(
    listener: Listener,
    lobbyId: string,
    since: Since | undefined,
    roster: Roster,
  ): Promise<boolean>;
  /** Tells a host who presents how many have answered, also when nothing has changed. */
  showProgress(listener: Listener): void;
  /** Takes a socket out. @returns the lobby it was in */
  leave(listener: Listener): string | null;
  /** @returns the lobby that a socket is in */
  lobbyOf(listener: Listener): string | null;
  /** @returns a lobby's room, while any socket is or comes in */
  find(lobbyId: string): Room | undefined;
  /** The rooms that have sockets. */
  occupied(): Room[];
  /** Breaks and remakes the subscriptions, which have fallen silent. */
  resubscribe(): void;
}

interface OpenRoom {
  room: Room;
  subscribed: Promise<void>;
  /** Sockets on their way in: they keep the room open too. */
  entering: number;
}

/** @param deps.subscriber a connection of its own with role `subscriber` */
export function createRooms(deps: RoomDeps & { subscriber: RedisClient }): Rooms {
  const open = new Map<string, OpenRoom>();
  const seated = new Map<string, string>();
  const channels = createChannels(deps.subscriber, {
    message: (channel, message) => open.get(channel)?.room.accept(message),
    resubscribed: () => {
      for (const { room } of open.values()) {
        room.fill().catch((err: unknown) => {
          if (!countOutage(deps.logger, err)) deps.logger.warn({ err }, 'hole not filled yet');
        });
      }
    },
  });

  const roomDeps: RoomDeps = {
    ...deps,
    onRemoved(lobbyId, listener) {
      seated.delete(listener.id);
      closeIfEmpty(channelOf(lobbyId));
      deps.onRemoved(lobbyId, listener);
    },
  };

  function openRoom(lobbyId: string): OpenRoom {
    const channel = channelOf(lobbyId);
    const known = open.get(channel);
    if (known) return known;
    const subscribed = channels.subscribe(channel);
    const opened = { room: createRoom(roomDeps, lobbyId), subscribed, entering: 0 };
    open.set(channel, opened);
    realtimeMetrics.rooms.set(open.size);
    return opened;
  }

  function closeIfEmpty(channel: string): void {
    const opened = open.get(channel);
    if (!opened || opened.entering > 0 || opened.room.listeners().length > 0) return;
    open.delete(channel);
    channels.unsubscribe(channel);
    realtimeMetrics.rooms.set(open.size);
  }

  function leave(listener: Listener): string | null {
    const lobbyId = seated.get(listener.id);
    if (!lobbyId) return null;
    seated.delete(listener.id);
    open.get(channelOf(lobbyId))?.room.unseat(listener);
    closeIfEmpty(channelOf(lobbyId));
    return lobbyId;
  }

  return {
    async enter(listener, lobbyId, since, roster) {
      const opened = openRoom(lobbyId);
      opened.entering++;
      try {
        await opened.subscribed;
        const isIn = await opened.room.seat(listener, since, roster);
        if (isIn) seated.set(listener.id, lobbyId);
        return isIn;
      } finally {
        opened.entering--;
        closeIfEmpty(channelOf(lobbyId));
      }
    },
    leave,
    showProgress(listener) {
      const lobbyId = seated.get(listener.id);
      if (lobbyId) open.get(channelOf(lobbyId))?.room.askForProgress(listener);
    },
    lobbyOf: (listener) => seated.get(listener.id) ?? null,
    find: (lobbyId) => open.get(channelOf(lobbyId))?.room,
    occupied: () =>
      [...open.values()].map(({ room }) => room).filter((room) => room.listeners().length > 0),
    resubscribe: () => channels.reconnect(),
  };
}
