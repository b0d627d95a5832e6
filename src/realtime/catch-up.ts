// Sends sockets what they have missed. [contract 5.9, 16, 19]
//
// A subscription that is not live catches up. The invariant: the next message to a socket either follows its cursor in
// the log, or is a snapshot, from which the cursor goes on. It becomes live when its cursor has reached the room's head.
// - The log goes on from the cursor: the socket gets a chunk, and the next one when its peer has taken that.
// - The log no longer reaches back to the cursor, or has another history: the socket gets a snapshot.
// - The log ends before the room's head: Redis has lost events, and filling the gap decides for the room.
//
// After pub/sub has lost an event or was interrupted, the gap of the live subscriptions is filled. The invariant: when
// `fill` is done, each of them has every event up to the room's head once and in order, or a snapshot instead.
// - The log goes on from the room's head: the live subscriptions get the rest, a long one by catching up.
// - The log does not contain the room's head: Redis has lost it, and everybody gets a snapshot.
// - The log was read to its end, and a client has an event that it does not contain: the same.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LobbyServices } from '../lobby/event-log.ts';
import { type Cursor, isAt, type Position } from '../lobby/history.ts';
import { restoreLiveState } from '../lobby/presence.ts';
import type { Roster } from '../lobby/schema.ts';
import { readShown, type ShownLobby } from '../match/store.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { inBatches } from '../platform/overload/batches.ts';
import type { Services } from '../services.ts';
import { realtimeMetrics } from './metrics.ts';
import { type Message, renderSnapshot } from './render.ts';
import { type Chunk, createReplay } from './replay.ts';
import { endForNonMembers, type Listener, type RoomState, type Subscription } from './subscriptions.ts';

/** How long a subscription waits after a store has failed, ms. */
const RETRY_MS = 500;

export type RoomServices = LobbyServices & Pick<Services, 'logger' | 'nowMs'>;

export function createCatchUp(services: RoomServices, room: RoomState) {
  const { redis, nowMs, logger } = services;
  const { lobbyId } = room;
  const replay = createReplay(services, lobbyId);
  let filling: Promise<void> | null = null;
  let isRequested = false;
  const readShared = inBatches(async (_: RoomState, userIds: string[]) => {
    const shown = await readShown(redis, lobbyId, userIds);
    return userIds.map(() => shown);
  }, String);
  /** Reads the lobby as Redis has it now, and a user's answer; a crowd that comes back shares the readings. */
  const readLive = ({ userId }: Listener) => readShared(room, userId);

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
          logFailure(logger, 'warn', error, 'replay interrupted: trying again', { lobbyId });
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
    if (chunk.messages.length === 0 && from.seq < room.headSeq()) return fill();
    sendChunk(subscription, chunk);
    await checkMembership(subscription);
    finishIfCaughtUp(subscription);
  }

  function finishIfCaughtUp(subscription: Subscription): void {
    if (room.isOpen(subscription) && subscription.cursor.seq >= room.headSeq()) setLive(subscription);
  }

  /** Sends a chunk up to the event that ends the subscription: the user has left, or the lobby is closed. */
  function sendChunk(subscription: Subscription, { entries, messages, states, end, head }: Chunk): void {
    const { listener } = subscription;
    const { userId } = listener;
    subscription.memberSinceSeq = Math.min(subscription.memberSinceSeq, head.seq);
    const removal = states.find(({ entry, isMember }) => entry.seq > subscription.memberSinceSeq && !isMember(userId));
    const last = entries.at(-1);
    const isClosed = last?.type === 'lobby:closed';
    const isLeaver = isClosed && last.leaverId === userId;
    const sent = messages.slice(0, removal?.index ?? (isLeaver ? -1 : messages.length));
    const texts = sent.map((message) => message.textFor(listener));
    const ids = sent.map(({ id }) => id);
    if (sent.length > 0) listener.sendChunk(texts, ids);
    for (const entry of entries) room.note(entry);
    subscription.cursor = end;
    // A `lobby:state` of a compact lobby shows of nobody that the user is a member.
    const state = states.at(-1);
    if (state) subscription.isListed = state.isNaming && state.isMember(userId);
    if (removal) endForNonMembers(removal.entry.lobby as Roster, removal.isMember)(listener);
    if (removal || isClosed) room.remove(subscription);
  }

  /** A user who has come back may be in the roster before a `lobby:state` announces it, or without being named. */
  async function checkMembership(subscription: Subscription): Promise<void> {
    const { isListed, cursor, memberSinceSeq } = subscription;
    const isPastJoin = cursor.seq >= memberSinceSeq;
    if (isListed || !isPastJoin || !room.isOpen(subscription)) return;
    const { roster } = await readLive(subscription.listener);
    subscription.isListed = true;
    if (room.isOpen(subscription) && roster && endForNonMembers(roster)(subscription.listener))
      room.remove(subscription);
  }

  async function sendSnapshot(subscription: Subscription): Promise<void> {
    const from = subscription.cursor;
    const live = await readLive(subscription.listener);
    if (!room.head) room.startAt(live);
    if (!isBehind(subscription, from)) return;
    realtimeMetrics.snapshots.inc();
    const messages = renderSnapshot(live, nowMs());
    if (resume(subscription, live, messages)) finishIfCaughtUp(subscription);
  }

  /** Sends a snapshot, unless the user is no member. @returns whether the subscription goes on */
  function resume(subscription: Subscription, live: ShownLobby, messages: Message[]): boolean {
    const { listener } = subscription;
    const { seq, mark, roster, closed } = live;
    const isMember = !roster || !endForNonMembers(roster)(listener);
    if (isMember) {
      for (const message of messages) listener.send(message.textFor(listener), message.id);
      Object.assign(subscription, { cursor: { seq, mark }, memberSinceSeq: seq, isListed: true });
    }
    const goesOn = isMember && !closed;
    if (!goesOn) room.remove(subscription);
    return goesOn;
  }

  function setLive(subscription: Subscription): void {
    subscription.isLive = true;
    // While it caught up, a presenter's socket was not sent the progress of a round that it did not know.
    if (subscription.catchingUp) room.requestProgress(subscription.listener);
    if (room.head && (isRequested || !isAt(room.head, subscription.cursor))) requestFill();
  }

  /** Sends the rest after the first chunk, before any event that is delivered meanwhile. */
  function start(subscription: Subscription): void {
    subscription.isLive = false;
    subscription.catchingUp ??= pullUntilLive(subscription);
  }

  /** Reads the log, or once more where it is being read already. @throws what a store throws */
  function fill(): Promise<void> {
    isRequested = true;
    filling ??= readUntilSettled().finally(() => {
      filling = null;
    });
    return filling;
  }

  async function readUntilSettled(): Promise<void> {
    while (isRequested && room.head) {
      isRequested = false;
      const from = room.head;
      const chunk = await replay.readAnew(from);
      if (!chunk) {
        await startOver();
        continue;
      }
      bringForward(from, chunk);
      // An event that was published meanwhile requests another reading, which decides.
      const isInLine = room.live().every(({ cursor }) => isAt(chunk.head, cursor));
      if (!isInLine && !isRequested) await startOver();
    }
  }

  /** Subscriptions for which the rest is longer than the chunk catch up. */
  function bringForward(from: Position, chunk: Chunk): void {
    const { head } = chunk;
    room.head = head;
    realtimeMetrics.eventsRecovered.inc(chunk.entries.length);
    for (const live of room.live()) if (isAt(from, live.cursor)) sendChunk(live, chunk);
    for (const live of room.live()) if (live.cursor.seq < head.seq) start(live);
  }

  /** Sends everybody a snapshot, from which the numbers count. */
  async function startOver(): Promise<void> {
    realtimeMetrics.resyncs.inc();
    const subscriptions = [...room.subscriptions.values()];
    const known = subscriptions.filter(({ memberSinceSeq }) => Number.isFinite(memberSinceSeq));
    const lastSeq = Math.max(room.headSeq(), ...known.map(({ cursor }) => cursor.seq));
    await restoreLiveState(services, lobbyId, lastSeq);
    const live = await readForAll();
    if (live.closed && live.snapshot) room.removeDeparted(live.snapshot);
    room.startAt(live);
    const messages = renderSnapshot(live, nowMs());
    for (const subscription of room.subscriptions.values()) {
      subscription.isLive = resume(subscription, live, messages);
    }
  }

  /** Reads the lobby, and the answers of all who have a subscription when that is done. */
  async function readForAll(): Promise<ShownLobby> {
    const usersOf = () => new Set(Array.from(room.subscriptions.values(), ({ listener }) => listener.userId));
    const asked = usersOf();
    const shown = await readShown(redis, lobbyId, [...asked]);
    return [...usersOf()].every((userId) => asked.has(userId)) ? shown : readForAll();
  }

  function requestFill(): void {
    isRequested = true;
    // A reading that is under way sees the request.
    if (!room.head || filling) return;
    // The next event or the reconciler starts another reading.
    fill().catch((error: unknown) => logFailure(logger, 'warn', error, 'missed events not read yet', { lobbyId }));
  }

  /** `isFilling`: the log is being read, so that an event that is published meanwhile must wait. */
  return { readLive, start, pull, sendSnapshot, fill, requestFill, isFilling: () => filling !== null };
}
