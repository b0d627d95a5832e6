// Finds out whether a room has missed events, and whether its subscription to Redis has stopped delivering
// them. [contract 5.9, 16]
import { isAt, ORIGIN, type Position } from '../lobby/history.ts';
import type { Room } from './room.ts';

/** Comparisons in a row that find a missed event; with the last of them the subscription counts as silent. */
const MAX_MISSED = 2;

export interface MissedEvents {
  /**
   * Compares the room's head with the lobby's last event, and fills the gap.
   * @param last the lobby's last event
   * @param headBefore the room's head before `last` was read
   */
  compare(room: Room, last: Position, headBefore: Position): Promise<void>;
  clear(room: Room): void;
}

/** @param onSilent the subscription has stopped delivering events */
export function createMissedEvents(onSilent: () => void): MissedEvents {
  /** How often in a row each room has missed an event. */
  let missed = new WeakMap<Room, number>();

  /** An event that pub/sub delivers a little late counts as missed only once. */
  async function fillMissed(room: Room): Promise<void> {
    const count = (missed.get(room) ?? 0) + 1;
    missed.set(room, count);
    await room.fill();
    if (count < MAX_MISSED) return;
    missed = new WeakMap();
    onSilent();
  }

  return {
    async compare(room, last, headBefore) {
      const head = room.head() ?? ORIGIN;
      if (isAt(last, head) || isAt(last, headBefore)) missed.delete(room);
      else if (last.seq > head.seq) await fillMissed(room);
      // Redis has lost events that sockets have got.
      else await room.fill();
    },
    clear: (room) => void missed.delete(room),
  };
}
