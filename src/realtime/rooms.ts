// The rooms of the lobbies that have sockets on this replica, which subscribes to the channels of these lobbies only. A
// room delivers the events of one lobby to its sockets. [contract 5, 5.9, 16, 19]
//
// The invariant: each socket gets every event once and in the order of its number, or a snapshot instead of what it
// can't get. A subscription is live once it has caught up, and the head is the last event sent to live subscriptions.
// Pub/sub is only the fast path: an event that follows the head is sent to them at once. Anything else that pub/sub
// brings shows that an event is missing; then catch-up.ts reads the log.
import { parseEntry } from '../lobby/event-log.ts';
import { type Cursor, follows, type LogEntry, ORIGIN, type Position } from '../lobby/history.ts';
import { channelOf } from '../lobby/keys.ts';
import { createChannels } from '../platform/redis/redis.ts';
import type { Services } from '../services.ts';
import { createCatchUp, type RoomServices } from './catch-up.ts';
import { realtimeMetrics } from './metrics.ts';
import { renderMessage } from './render.ts';
import { createRoomState, createSubscription, type Listener, type OnRemoved } from './subscriptions.ts';

export type Room = ReturnType<typeof createRoom>;

export function createRoom(services: RoomServices, lobbyId: string, onRemoved: OnRemoved) {
  const { nowMs } = services;
  const room = createRoomState(services, lobbyId, onRemoved);
  const { subscriptions } = room;
  const catchUp = createCatchUp(services, room);

  /** Takes an event that pub/sub has brought. @param text as it was published */
  function accept(text: string): void {
    const entry = parseEntry(text);
    const { head } = room;
    if (head && !catchUp.isFilling() && follows(entry, head)) deliver(entry);
    else if (entry.mark !== head?.mark) catchUp.requestFill();
  }

  /** Sends the event to the live subscriptions; what they share is made once. */
  function deliver(entry: LogEntry): void {
    const head = { seq: entry.seq, mark: entry.mark };
    room.head = head;
    room.removeDeparted(entry);
    room.note(entry);
    // The remaining times are those of the publishing, the same for all sockets. [contract 11]
    const message = renderMessage(entry, entry.atMs);
    for (const subscription of subscriptions.values()) {
      // A subscription that has read the log may be ahead.
      if (!subscription.isLive || !follows(entry, subscription.cursor)) continue;
      subscription.cursor = head;
      const { listener } = subscription;
      listener.send(message.textFor(listener), message.id);
    }
    realtimeMetrics.fanOutLag.observe(Math.max(0, nowMs() - entry.atMs) / 1000);
    // The others find the end of the lobby in the log.
    if (entry.type === 'lobby:closed') room.live().forEach(room.remove);
  }

  /**
   * Subscribes a socket and sends the first chunk of what its client has not seen. The socket then gets every event,
   * unless its user turns out to be no member, or the lobby to be closed. The room must have a head before the first chunk
   * is read: an event that is published after that reading follows the head or requests a reading of the log, so that
   * none can be lost in between.
   * @param cursor the last event that the client has; without it the client gets a snapshot
   * @throws what a store throws; then the socket is not subscribed
   */
  async function subscribe(listener: Listener, cursor: Cursor | undefined): Promise<void> {
    const subscription = createSubscription(listener, cursor);
    subscriptions.set(listener.id, subscription);
    try {
      if (cursor && !room.head) {
        const live = await catchUp.readLive(listener);
        if (!room.head) room.startAt(live);
      }
      await (cursor ? catchUp.pull(subscription) : catchUp.sendSnapshot(subscription));
    } catch (error) {
      if (room.isOpen(subscription)) subscriptions.delete(listener.id);
      throw error;
    }
    if (room.isOpen(subscription) && !subscription.isLive) catchUp.start(subscription);
  }

  return {
    lobbyId,
    has: ({ id }: Listener) => subscriptions.has(id),
    isEmpty: () => subscriptions.size === 0,
    /** Whether the room has sockets and a head. */
    isOccupied: () => subscriptions.size > 0 && room.head !== null,
    /** Those that catch up included. */
    listeners: () => Array.from(subscriptions.values(), ({ listener }) => listener),
    /** @returns the last event that went out to live subscriptions */
    head: () => room.head ?? ORIGIN,
    accept,
    subscribe,
    unsubscribe: ({ id }: Listener) => void subscriptions.delete(id),
    /** Resolves when a socket has been sent all that it has missed, or is no longer subscribed. */
    caughtUp: async ({ id }: Listener): Promise<void> => (await subscriptions.get(id)?.catchingUp) ?? undefined,
    /** A socket was sent a snapshot: if it still catches up, it goes on from there. */
    skipTo({ id }: Listener, { seq, mark }: Position): void {
      const subscription = subscriptions.get(id);
      if (subscription && !subscription.isLive && subscription.cursor.seq < seq) subscription.cursor = { seq, mark };
    },
    /**
     * Reads from the log what came after the last event that went out. Where Redis has lost that event, or has another one
     * in its place, everybody gets a snapshot, from which the numbers count.
     */
    fill: catchUp.fill,
    requestFill: catchUp.requestFill,
    presentedRound: room.presentedRound,
    requestProgress: room.requestProgress,
  };
}

export type Rooms = ReturnType<typeof createRooms>;

export function createRooms(services: RoomServices & Pick<Services, 'subscriber'>, onRemoved: OnRemoved) {
  /** The open rooms by their channels. */
  const open = new Map<string, ReturnType<typeof openRoom>>();
  /** The rooms of the sockets that have entered, by the ids of the sockets. */
  const entered = new Map<string, Room>();
  const channels = createChannels(services.subscriber, {
    message: (channel, message) => open.get(channel)?.room.accept(message),
    resubscribed: () => {
      for (const { room } of open.values()) room.requestFill();
    },
  });

  function forget(lobbyId: string, listener: Listener): void {
    entered.delete(listener.id);
    closeIfEmpty(lobbyId);
    onRemoved(lobbyId, listener);
    listener.onRemoved?.();
  }

  function openRoom(lobbyId: string) {
    const room = createRoom(services, lobbyId, forget);
    const subscribed = channels.subscribe(channelOf(lobbyId));
    /** `entering`: how many sockets are entering; the room stays open for them too. */
    const opened = { room, subscribed, entering: 0 };
    open.set(channelOf(lobbyId), opened);
    realtimeMetrics.rooms.set(open.size);
    return opened;
  }

  function closeIfEmpty(lobbyId: string): void {
    const channel = channelOf(lobbyId);
    const opened = open.get(channel);
    if (!opened || opened.entering > 0 || !opened.room.isEmpty()) return;
    open.delete(channel);
    channels.unsubscribe(channel);
    realtimeMetrics.rooms.set(open.size);
  }

  return {
    /**
     * Subscribes a socket, which must be in no other lobby, and starts to send what its client has not seen.
     * @returns whether the socket is in the lobby
     */
    async enter(listener: Listener, lobbyId: string, cursor: Cursor | undefined): Promise<boolean> {
      const opened = open.get(channelOf(lobbyId)) ?? openRoom(lobbyId);
      opened.entering++;
      try {
        await opened.subscribed;
        await opened.room.subscribe(listener, cursor);
        const isIn = opened.room.has(listener);
        if (isIn) entered.set(listener.id, opened.room);
        return isIn;
      } finally {
        opened.entering--;
        closeIfEmpty(lobbyId);
      }
    },
    /** @returns the id of the lobby that the socket was in */
    leave(listener: Listener): string | null {
      const room = entered.get(listener.id);
      if (!room) return null;
      entered.delete(listener.id);
      room.unsubscribe(listener);
      closeIfEmpty(room.lobbyId);
      return room.lobbyId;
    },
    roomOf: (listener: Listener) => entered.get(listener.id),
    /** @returns a lobby's room, while a socket is in it or is entering */
    find: (lobbyId: string): Room | undefined => open.get(channelOf(lobbyId))?.room,
    occupied: () => Array.from(open.values(), ({ room }) => room).filter((room) => room.isOccupied()),
    /** Subscribes again on a new connection, since this one delivers nothing. */
    resubscribe: () => channels.reconnect(),
  };
}
