// Delivers the events of one lobby to its sockets on this replica.
//
// The invariant: each socket gets every event once and in the order of its number, or a snapshot instead of what it
// can't get. A subscription is live once it has caught up, and the head is the last event sent to live subscriptions.
// Pub/sub is only the fast path: an event that follows the head is sent to them at once. Anything else that pub/sub
// brings shows that an event is missing; then the gap filler of catch-up.ts reads the log. [contract 5.9, 16, 19]
import { parseEntry } from '../lobby/event-log.ts';
import { type Cursor, follows, isAt, type LogEntry, type Position } from '../lobby/history.ts';
import { createCatchUp, createGapFiller, type RoomServices } from './catch-up.ts';
import { realtimeMetrics } from './metrics.ts';
import { renderMessage } from './render.ts';
import { createReplay } from './replay.ts';
import { createRoomState, createSubscription, type Listener, type Subscription } from './subscriptions.ts';

export type Room = ReturnType<typeof createRoom>;

/** @param onRemoved a subscription has ended because its user has left the lobby, or the lobby was closed */
export function createRoom(
  services: RoomServices,
  lobbyId: string,
  onRemoved: (lobbyId: string, listener: Listener) => void,
) {
  const { nowMs } = services;
  const room = createRoomState(services, lobbyId, onRemoved);
  const { subscriptions, presenters } = room;
  const replay = createReplay(services, lobbyId);
  const catchUp = createCatchUp(services, room, replay, { fillGap: () => filler.fill(), onCaughtUp: setLive });
  const filler = createGapFiller(services, room, replay, catchUp);

  /** Takes an event that pub/sub has brought. @param text as it was published */
  function accept(text: string): void {
    const entry = parseEntry(text);
    const { head } = room;
    if (head && !filler.isFilling() && follows(entry, head)) deliver(entry);
    else if (entry.mark !== head?.mark) filler.request();
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

  function setLive(subscription: Subscription): void {
    subscription.isLive = true;
    // While it caught up, a presenter's socket was not sent the progress of a round that it did not know.
    if (subscription.catchingUp) presenters.requestProgress(subscription.listener);
    const { head } = room;
    if (head && (filler.isRequested() || !isAt(head, subscription.cursor))) filler.request();
  }

  return {
    lobbyId,
    isEmpty: () => subscriptions.size === 0,
    /** Those that catch up included. */
    listeners: () => Array.from(subscriptions.values(), ({ listener }) => listener),
    has: ({ id }: Listener) => subscriptions.has(id),
    /** @returns the last event that went out to live subscriptions; null until a socket has subscribed */
    head: () => room.head,
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
    fill: filler.fill,
    presentedRound: () => presenters.openRound(subscriptions.values()),
    requestProgress: presenters.requestProgress,
  };
}
