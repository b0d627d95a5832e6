// What a replica does for its lobbies every two seconds, whatever else has failed: it refreshes
// presence, finds events that its subscription has missed, resolves rounds that no worker has, and
// announces changes whose author died before the announcement.
import { announceLobby } from '../lobby/announce.ts';
import { isAt, ORIGIN, type Position } from '../lobby/history.ts';
import { lobbyKeys } from '../lobby/keys.ts';
import { PRESENCE_REFRESH_MS, updatePresence } from '../lobby/presence.ts';
import { findVersions } from '../lobby/store.ts';
import type { MatchDeps } from '../match/deps.ts';
import { leaveMatch } from '../match/leave-match.ts';
import { resolveRound } from '../match/resolve-round.ts';
import { read, readHead } from '../match/store.ts';
import { isOutage } from '../platform/outage.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';

/** How long a round may be overdue before a replica does the worker's job. */
const OVERDUE_GRACE_MS = 300;

/** PostgreSQL is compared with what was announced every so many rounds of care. */
const COMPARE_EVERY = 5;

/** So many missed events in a row, none by subscription, and the subscription counts as dead. */
const SILENT_AFTER = 2;

/** Starts the rounds of care. @returns what stops them, and resolves when none needs a store any more */
export function startCaretaker(deps: MatchDeps, rooms: Rooms): () => Promise<void> {
  const missed = new Map<string, number>();
  /** Those that still wait for a store; no other waits for them. */
  const busy = new Map<string, Promise<void>>();
  let turn = 0;

  function careForAll(): void {
    const occupied = rooms.occupied();
    for (const room of occupied) begin(room.lobbyId, () => care(room));
    if (++turn % COMPARE_EVERY === 0 && occupied.length > 0)
      begin('compare', () => compareWithStored(occupied));
  }

  /** One at a time of the same name. */
  function begin(name: string, work: () => Promise<void>): void {
    if (!busy.has(name)) busy.set(name, quietly(name, work));
  }

  async function quietly(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const level = isOutage(error) ? 'debug' : 'error';
      deps.logger[level]({ err: error, name }, 'lobby not cared for');
    } finally {
      busy.delete(name);
    }
  }

  async function care(room: Room): Promise<void> {
    const { lobbyId } = room;
    const headBefore = room.head() ?? ORIGIN;
    const sockets = room.listeners().map(({ id, userId }) => ({ socketId: id, userId }));
    const [reply, head] = await Promise.all([
      updatePresence(deps, lobbyId, 'add', sockets),
      readHead(deps.redis, lobbyId),
    ]);
    await compareWithLog(room, reply, headBefore);
    if (reply.state === 'unknown') await announceLobby(deps, lobbyId);
    const isDue = head && (head.isComplete || deps.nowMs() > head.deadlineMs + OVERDUE_GRACE_MS);
    if (head?.status === 'finishing' || (head?.status === 'open' && isDue)) {
      await resolveRound(deps, lobbyId);
    }
  }

  /** What has gone out must be what the log holds: all of it, and nothing else. [contract 5.9, 16] */
  async function compareWithLog(room: Room, last: Position, headBefore: Position): Promise<void> {
    const head = room.head() ?? ORIGIN;
    if (isAt(last, head) || isAt(last, headBefore)) missed.delete(room.lobbyId);
    else if (last.seq > head.seq) await fillMissed(room);
    else await room.fill();
  }

  /** An event on its way looks like a missed one, once; a dead subscription misses every one. */
  async function fillMissed(room: Room): Promise<void> {
    const count = (missed.get(room.lobbyId) ?? 0) + 1;
    missed.set(room.lobbyId, count);
    await room.fill();
    if (count < SILENT_AFTER) return;
    missed.clear();
    deps.logger.warn('subscriptions have fallen silent: subscribing anew');
    rooms.resubscribe();
  }

  async function compareWithStored(occupied: Room[]): Promise<void> {
    const ids = occupied.map((room) => room.lobbyId);
    const stored = await findVersions(deps.db, ids);
    await Promise.all(ids.map((id) => announceIfBehind(id, stored.get(id))));
  }

  async function announceIfBehind(lobbyId: string, version: number | undefined): Promise<void> {
    const [lobbyKey] = lobbyKeys(lobbyId);
    const announced = await deps.redis.hget(lobbyKey, 'version');
    if (version !== undefined && Number(announced ?? 0) >= version) return;
    const roster = await announceLobby(deps, lobbyId);
    // Who left PostgreSQL and died before leaving the game is not waited for either.
    const match = roster?.status === 'running' ? await read(deps.redis, lobbyId) : null;
    const members = new Set(roster?.players.map((player) => player.userId));
    for (const { userId, left } of match?.players ?? []) {
      if (!left && !members.has(userId)) await leaveMatch(deps, lobbyId, userId);
    }
  }

  const timer = setInterval(careForAll, PRESENCE_REFRESH_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(busy.values());
  };
}
