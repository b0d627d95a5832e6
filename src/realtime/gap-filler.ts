// Sends the live subscriptions of a room what they lack after pub/sub has lost an event or was interrupted.
//
// The invariant: when `fill` is done, each live subscription has every event up to the room's head once and
// in order, or a snapshot instead. There are three cases:
// - The log goes on from the room's head: the live subscriptions get the rest, a long one by catching up.
// - The log does not contain the room's head: Redis has lost it, and everybody gets a snapshot.
// - The log was read to its end, and a client has an event that it does not contain: the same.
import { restoreLiveState } from '../lobby/announce.ts';
import type { LiveDeps } from '../lobby/event-log.ts';
import { isAt, type Position } from '../lobby/history.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { type CatchUp, resumeFromSnapshot } from './catch-up.ts';
import { realtimeMetrics } from './metrics.ts';
import { renderSnapshot } from './render.ts';
import type { Chunk, Replay } from './replay.ts';
import type { RoomState } from './room-state.ts';

export interface GapFillerDeps extends LiveDeps {
  db: Database;
  room: RoomState;
  replay: Replay;
  catchUp: CatchUp;
  nowMs(): number;
  /** A reading in the background has failed; the next event or the reconciler starts another one. */
  onFailure(error: unknown): void;
}

export interface GapFiller {
  /** @returns whether the log is being read: an event that is published meanwhile must wait */
  isFilling(): boolean;
  /** Reads the log in the background, now or as soon as the room has a head. */
  request(): void;
  /** Reads the log, or once more where it is being read already. @throws what a store throws */
  fill(): Promise<void>;
  /** @returns whether a request waits to be carried out */
  isRequested(): boolean;
}

export function createGapFiller(deps: GapFillerDeps): GapFiller {
  const { room, replay, catchUp } = deps;
  let running: Promise<void> | null = null;
  let isRequested = false;

  function fill(): Promise<void> {
    isRequested = true;
    running ??= readUntilSettled().finally(() => {
      running = null;
    });
    return running;
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
    for (const live of room.live()) if (isAt(from, live.cursor)) catchUp.sendChunk(live, chunk);
    for (const live of room.live()) if (live.cursor.seq < head.seq) catchUp.start(live);
  }

  /** Sends everybody a snapshot, from which the numbers count. */
  async function startOver(): Promise<void> {
    realtimeMetrics.resyncs.inc();
    const subscriptions = [...room.subscriptions.values()];
    const known = subscriptions.filter(({ memberSinceSeq }) => Number.isFinite(memberSinceSeq));
    const lastSeq = Math.max(room.headSeq(), ...known.map(({ cursor }) => cursor.seq));
    const live = await restoreLiveState(deps, room.lobbyId, lastSeq);
    if (live.closed && live.screen) room.removeDeparted(live.screen);
    room.startAt(live);
    const messages = renderSnapshot(live, deps.nowMs());
    for (const subscription of room.subscriptions.values()) {
      subscription.isLive = resumeFromSnapshot(subscription, live, messages);
      if (!subscription.isLive) room.remove(subscription);
    }
  }

  return {
    isFilling: () => running !== null,
    isRequested: () => isRequested,
    request() {
      isRequested = true;
      // A reading that is under way sees the request.
      if (room.head && !running) fill().catch(deps.onFailure);
    },
    fill,
  };
}
