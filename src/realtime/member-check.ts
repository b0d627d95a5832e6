// Ends the subscriptions of users who have left a compact lobby. Its events don't name its members, so that the
// roster is read when it has changed. [contract 10, 19]
import { readRoster } from '../lobby/event-log.ts';
import type { LogEntry } from '../lobby/history.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { endForNonMembers, namesMembers } from './membership.ts';
import type { RoomState } from './room-state.ts';

export interface MemberCheckDeps {
  redis: RedisClient;
  room: Pick<RoomState, 'lobbyId' | 'subscriptions' | 'remove'>;
  /** The roster was not read; the next `lobby:state` starts another check. */
  onFailure(error: unknown): void;
}

/** @returns a function to call with each `lobby:state` */
export function createMemberCheck(deps: MemberCheckDeps): (state: LogEntry) => void {
  const { redis, room } = deps;
  let checkedVersion = -1;
  let isRequested = false;
  let isRunning = false;

  /** A reading may have begun before the change that another event announces meanwhile. */
  async function checkUntilSettled(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await check();
    }
  }

  async function check(): Promise<void> {
    const found = await readRoster(redis, room.lobbyId);
    if (!found) return;
    checkedVersion = found.version;
    const isEnded = endForNonMembers(found.roster);
    for (const subscription of room.subscriptions.values())
      if (isEnded(subscription.listener)) room.remove(subscription);
  }

  return (state) => {
    if (namesMembers(state) || (state.version as number) <= checkedVersion) return;
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    checkUntilSettled()
      .catch(deps.onFailure)
      .finally(() => {
        isRunning = false;
      });
  };
}
