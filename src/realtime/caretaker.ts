// What a replica does for its lobbies every two seconds, whatever else has failed: it keeps their
// sockets present, finds events that its subscription has missed, resolves rounds that no worker has,
// and announces changes whose author died before the announcement. An idle lobby has no command of its
// own: one looks at all of them.
import { announceLobby } from '../lobby/announce.ts';
import { isAt, ORIGIN, type Position } from '../lobby/history.ts';
import { type Presence, updatePresence } from '../lobby/presence.ts';
import { findVersions } from '../lobby/store.ts';
import type { MatchDeps } from '../match/deps.ts';
import { endPhase } from '../match/end-phase.ts';
import { type Expected, type Findings, lookAfter } from '../match/look-after.ts';
import { removeStrays } from '../match/strays.ts';
import { isOutage } from '../platform/outage.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';

/** How often all lobbies are looked at. [contract 16: within 3 s] */
const LOOK_MS = 2000;

/** Presence is refreshed at every second look. */
const REFRESH_EVERY = 2;

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
    if (occupied.length === 0) return;
    turn++;
    const isRefreshed = turn % REFRESH_EVERY === 0;
    begin('look', () => look(occupied.map((room) => expectedOf(room, isRefreshed))));
    if (turn % COMPARE_EVERY === 0) {
      const ids = occupied.map(({ lobbyId }) => lobbyId);
      begin('compare', () => compareWithStored(ids));
    }
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

  function expectedOf(room: Room, isRefreshed: boolean): Expected {
    const { lobbyId } = room;
    return { lobbyId, head: room.head() ?? ORIGIN, sockets: isRefreshed ? socketsOf(room) : [] };
  }

  /** One command for all of them tells which need any of their own. */
  async function look(lobbies: Expected[]): Promise<void> {
    const looks = lookAfter(deps, lobbies).map(async (look) => attend(await look));
    for (const { status, reason } of (await Promise.allSettled(looks)) as PromiseRejectedResult[])
      if (status === 'rejected') throw reason;
  }

  function attend({ lobbies, differing, overdue, behind, strayed }: Findings): void {
    const different = new Set(differing);
    for (const { lobbyId } of lobbies) if (!different.has(lobbyId)) missed.delete(lobbyId);
    for (const id of differing) begin(id, () => care(id));
    for (const id of overdue) begin(`${id} overdue`, async () => void (await endPhase(deps, id)));
    for (const id of behind) announceAnew(id);
    for (const id of strayed) begin(`${id} strayed`, () => removeStrays(deps, id));
  }

  async function care(lobbyId: string): Promise<void> {
    const room = rooms.find(lobbyId);
    if (!room) return;
    const headBefore = room.head() ?? ORIGIN;
    const reply = await updatePresence(deps, lobbyId, 'add', socketsOf(room));
    await compareWithLog(room, reply, headBefore);
    if (reply.state === 'unknown') await announceLobby(deps, lobbyId);
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

  async function compareWithStored(lobbyIds: string[]): Promise<void> {
    const stored = await findVersions(deps.db, lobbyIds);
    const expected = lobbyIds.flatMap((id) => {
      const room = rooms.find(id);
      const version = stored.get(id);
      return room && version !== undefined ? { ...expectedOf(room, false), version } : [];
    });
    for (const id of lobbyIds) if (!stored.has(id)) announceAnew(id);
    await look(expected);
  }

  function announceAnew(id: string): void {
    begin(`${id} behind`, async () => void (await announceLobby(deps, id)));
  }

  const timer = setInterval(careForAll, LOOK_MS);
  return async () => {
    clearInterval(timer);
    // A look begins what it finds to be done.
    while (busy.size > 0) await Promise.all(busy.values());
  };
}

function socketsOf(room: Room): Presence[] {
  return room.listeners().map(({ id, userId }) => ({ socketId: id, userId }));
}
