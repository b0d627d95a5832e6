// Sends a subscription that is not live what it has missed. [contract 5.9, 16, 19]
//
// The invariant: the next message to a socket either follows its cursor in the log, or is a snapshot, from
// which the cursor goes on. A subscription becomes live when its cursor has reached the room's head.
// - The log goes on from the cursor: the socket gets a chunk, and the next one when its peer has taken that.
// - The log no longer reaches back to the cursor, or has another history: the socket gets a snapshot.
// - The log ends before the room's head: Redis has lost events, and the gap filler decides for the room.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveState } from '../lobby/event-log.ts';
import type { Cursor } from '../lobby/history.ts';
import { endForNonMembers } from './membership.ts';
import { realtimeMetrics } from './metrics.ts';
import { type Message, renderSnapshot } from './render.ts';
import type { Chunk, Replay } from './replay.ts';
import type { RoomState } from './room-state.ts';
import type { Subscription } from './subscription.ts';

/** How long a subscription waits after a store has failed, ms. */
const RETRY_MS = 500;

export interface CatchUpDeps {
  room: RoomState;
  replay: Replay;
  /** Reads the lobby as Redis has it now; a crowd that comes back shares the readings. */
  readLive(): Promise<LiveState>;
  nowMs(): number;
  /** Compares what was delivered with the log, and sends snapshots where Redis has lost events. */
  fillGap(): Promise<void>;
  /** A subscription has reached the room's head. */
  onCaughtUp(subscription: Subscription): void;
  /** A store has failed; the reading is tried again. */
  onFailure(error: unknown): void;
}

export interface CatchUp {
  /** Makes a subscription read the log in the background until it is live. */
  start(subscription: Subscription): void;
  /** Reads and sends the next chunk of what the client has not seen. */
  pull(subscription: Subscription): Promise<void>;
  /** Sends a chunk up to the event that ends the subscription: the user has left, or the lobby is closed. */
  sendChunk(subscription: Subscription, chunk: Chunk): void;
  sendSnapshot(subscription: Subscription): Promise<void>;
}

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { room, replay, readLive } = deps;

  /** @returns whether the events after the cursor, as it was before waiting, are still to be sent */
  const isBehind = (subscription: Subscription, cursor: Cursor = subscription.cursor) =>
    room.isOpen(subscription) && !subscription.isLive && subscription.cursor === cursor;

  async function pullUntilLive(subscription: Subscription): Promise<void> {
    try {
      // The connection of a peer that has not taken the last chunk is about to end.
      while ((await subscription.listener.taken) && isBehind(subscription)) {
        try {
          await pull(subscription);
        } catch (error) {
          deps.onFailure(error);
          await sleep(RETRY_MS, undefined, { ref: false });
        }
      }
    } finally {
      subscription.catchingUp = null;
    }
  }

  async function pull(subscription: Subscription): Promise<void> {
    const from = subscription.cursor;
    const chunk = await replay.read(from);
    if (!isBehind(subscription, from)) return;
    if (!chunk) return sendSnapshot(subscription);
    if (chunk.messages.length === 0 && from.seq < room.headSeq()) return deps.fillGap();
    sendChunk(subscription, chunk);
    if (isMembershipUnclear(subscription)) await checkMembership(subscription);
    finishIfCaughtUp(subscription);
  }

  function finishIfCaughtUp(subscription: Subscription): void {
    if (room.isOpen(subscription) && subscription.cursor.seq >= room.headSeq()) deps.onCaughtUp(subscription);
  }

  function sendChunk(subscription: Subscription, { entries, messages, states, end, head }: Chunk): void {
    const { listener } = subscription;
    const { userId } = listener;
    subscription.memberSinceSeq = Math.min(subscription.memberSinceSeq, head.seq);
    const removal = states.find(({ seq, isMember }) => seq > subscription.memberSinceSeq && !isMember(userId));
    const last = entries.at(-1);
    const isClosed = last?.type === 'lobby:closed';
    const isLeaver = isClosed && last.leaverId === userId;
    const sent = messages.slice(0, removal?.index ?? (isLeaver ? -1 : messages.length));
    if (sent.length > 0) void listener.sendChunk(sent.map((message) => message.textFor(listener)));
    for (const entry of entries) room.note(entry);
    subscription.cursor = end;
    subscription.isListed = states.at(-1)?.lists(userId) ?? subscription.isListed;
    removal?.endFor(listener);
    if (removal || isClosed) room.remove(subscription);
  }

  /** @returns whether the replay is past the join, and its last `lobby:state` does not name the user */
  function isMembershipUnclear(subscription: Subscription): boolean {
    const { isListed, cursor, memberSinceSeq } = subscription;
    return room.isOpen(subscription) && !isListed && cursor.seq >= memberSinceSeq;
  }

  /** A user who has come back may be in the roster before a `lobby:state` announces it, or without being named. */
  async function checkMembership(subscription: Subscription): Promise<void> {
    const { roster } = await readLive();
    subscription.isListed = true;
    if (room.isOpen(subscription) && roster && endForNonMembers(roster)(subscription.listener))
      room.remove(subscription);
  }

  async function sendSnapshot(subscription: Subscription): Promise<void> {
    const from = subscription.cursor;
    const live = await readLive();
    if (!room.head) room.startAt(live);
    if (!isBehind(subscription, from)) return;
    realtimeMetrics.snapshots.inc();
    const messages = renderSnapshot(live, deps.nowMs());
    if (resumeFromSnapshot(subscription, live, messages)) finishIfCaughtUp(subscription);
    else room.remove(subscription);
  }

  return {
    start(subscription) {
      subscription.isLive = false;
      subscription.catchingUp ??= pullUntilLive(subscription);
    },
    pull,
    sendChunk,
    sendSnapshot,
  };
}

/**
 * Sends a snapshot, from which the cursor goes on, unless the user is no member.
 * @param messages the messages of the snapshot
 * @returns whether the subscription goes on
 */
export function resumeFromSnapshot(
  subscription: Subscription,
  { seq, mark, roster, closed }: LiveState,
  messages: readonly Message[],
): boolean {
  const { listener } = subscription;
  if (roster && endForNonMembers(roster)(listener)) return false;
  for (const message of messages) listener.send(message.textFor(listener));
  Object.assign(subscription, { cursor: { seq, mark }, memberSinceSeq: seq, isListed: true });
  return !closed;
}
