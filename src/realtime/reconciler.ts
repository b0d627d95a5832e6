// The reconciler repairs the lobbies of this replica every two seconds. It renews the presence of their sockets, finds
// events that pub/sub has lost, ends phases that no worker has ended, and announces what a crashed process has not
// announced. One command checks all lobbies; only one that needs repair takes further ones. [contract 5.1, 5.5, 16]
//
// More often it reads the open rounds that a host presents here, who gets `game:progress`, so that an answer needs no
// further command, and no crash can lose the last count; and those that wait for present players alone, of which any
// replica ends one that is over. [contract 11, 25]
import { announceLobby } from '../lobby/event-log.ts';
import { isAt, type Position } from '../lobby/history.ts';
import { type Presence, updatePresence } from '../lobby/presence.ts';
import { findVersions } from '../lobby/store.ts';
import { checkLobbies, type ExpectedLobby, type LobbyFindings } from '../match/check-lobbies.ts';
import { endPhase } from '../match/end-phase.ts';
import { removeDepartedPlayers } from '../match/leave-match.ts';
import { checkRound, type MatchServices } from '../match/store.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import type { Room, Rooms } from './rooms.ts';
import type { GameProgressMessage } from './schema.ts';

/** How often all lobbies are checked, ms. [contract 16: within 3 s] */
const CHECK_INTERVAL_MS = 2000;

/** Every second check renews the presence of the sockets. */
const CHECKS_PER_RENEWAL = 2;

/** Every fifth check also compares the announced rosters with PostgreSQL. */
const CHECKS_PER_COMPARISON = 5;

/** Comparisons in a row that find a missed event; with the last of them the subscription counts as silent. */
const MAX_MISSED = 2;

/** How often the progress is read, ms: at most twice a second, even after a delay. [contract 11] */
const PROGRESS_INTERVAL_MS = 600;

/** @returns a function that stops the checks and resolves when none of them needs a store any more */
export function startReconciler(deps: MatchServices, rooms: Pick<Rooms, 'find' | 'occupied' | 'resubscribe'>) {
  const tasks = createNamedTasks(deps.logger);
  /** How many comparisons in a row have found a missed event. */
  let missed = new WeakMap<Room, number>();
  const announce = (id: string) => tasks.start(`${id} outdated`, () => announceLobby(deps, id));
  let checks = 0;

  function checkAll(): void {
    const occupied = rooms.occupied();
    if (occupied.length === 0) return;
    checks++;
    const renews = checks % CHECKS_PER_RENEWAL === 0;
    tasks.start('check', () => check(occupied.map((room) => expectedOf(room, renews))));
    if (checks % CHECKS_PER_COMPARISON > 0) return;
    tasks.start('compare', () => compareWithStored(occupied.map(({ lobbyId }) => lobbyId)));
  }

  async function check(lobbies: ExpectedLobby[]): Promise<void> {
    const replies = checkLobbies(deps, lobbies).map(async (reply) => repair(await reply));
    // An outage of one server of a cluster must not hide what the others have found.
    const failed = (await Promise.allSettled(replies)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  function repair({ lobbies, changed, overdue, outdated, departed }: LobbyFindings): void {
    const isChanged = new Set(changed);
    for (const { lobbyId } of lobbies) {
      const room = isChanged.has(lobbyId) ? undefined : rooms.find(lobbyId);
      if (room) missed.delete(room);
    }
    for (const id of changed) tasks.start(id, () => repairLobby(id));
    for (const id of overdue) tasks.start(`${id} overdue`, () => endPhase(deps, id));
    for (const id of outdated) announce(id);
    for (const id of departed) tasks.start(`${id} departed`, () => removeDepartedPlayers(deps, id));
  }

  async function repairLobby(lobbyId: string): Promise<void> {
    const room = rooms.find(lobbyId);
    if (!room) return;
    const headBefore = room.head();
    const reply = await updatePresence(deps, lobbyId, 'add', socketsOf(room));
    await fillMissed(room, reply, headBefore);
    if (reply.state === 'unknown') await announceLobby(deps, lobbyId);
  }

  /** Fills the gap up to the lobby's last event. @param headBefore the room's head before `last` was read */
  async function fillMissed(room: Room, last: Position, headBefore: Position): Promise<void> {
    const head = room.head();
    if (isAt(last, head) || isAt(last, headBefore)) return void missed.delete(room);
    // Otherwise Redis has lost events that sockets have got.
    const isMissed = last.seq > head.seq;
    // An event that pub/sub delivers a little late counts as missed only once.
    const count = (missed.get(room) ?? 0) + (isMissed ? 1 : 0);
    missed.set(room, count);
    await room.fill();
    if (!isMissed || count < MAX_MISSED) return;
    missed = new WeakMap();
    deps.logger.warn('the subscriptions deliver no events: subscribing again');
    rooms.resubscribe();
  }

  async function compareWithStored(lobbyIds: string[]): Promise<void> {
    const stored = await findVersions(deps.db, lobbyIds);
    const expected = lobbyIds.flatMap((id) => {
      const room = rooms.find(id);
      const version = stored.get(id);
      return room && version !== undefined ? { ...expectedOf(room, false), version } : [];
    });
    for (const id of lobbyIds) if (!stored.has(id)) announce(id);
    await check(expected);
  }

  const tryToWatch = (room: Room) =>
    watchRound(deps, room).catch((error: unknown) =>
      logFailure(deps.logger, 'warn', error, 'progress not read', { lobbyId: room.lobbyId }),
    );

  function watchRounds(): void {
    for (const room of rooms.occupied())
      if (room.presentedRound()) tasks.start(`${room.lobbyId} progress`, () => tryToWatch(room));
  }

  const timers = [setInterval(checkAll, CHECK_INTERVAL_MS), setInterval(watchRounds, PROGRESS_INTERVAL_MS)];
  return () => {
    timers.forEach(clearInterval);
    return tasks.finished();
  };
}

function expectedOf(room: Room, renewsPresence: boolean): ExpectedLobby {
  const sockets = renewsPresence ? socketsOf(room) : [];
  return { lobbyId: room.lobbyId, head: room.head(), sockets };
}

function socketsOf(room: Room): Presence[] {
  return room.listeners().map(({ id, userId }) => ({ socketId: id, userId }));
}

/** Ends the round if it is over, or sends the progress to the presenting host's sockets that have not got it. */
async function watchRound(services: MatchServices, room: Room): Promise<void> {
  const progress = await checkRound(services.redis, room.lobbyId);
  if (progress === 'complete') await endPhase(services, room.lobbyId);
  // Meanwhile the result may have been sent, or the question of this round may not have arrived yet.
  const presented = room.presentedRound();
  if (!progress || progress === 'complete' || presented?.gameId !== progress.gameId) return;
  if (presented.round !== progress.round) return;
  const { gameId, round, answered, awaited, version, openedVersion, players } = progress;
  const message = { type: 'game:progress', gameId, round, answered, awaited } satisfies GameProgressMessage;
  const text = JSON.stringify(message);
  const now = `${version} ${awaited}`;
  for (const subscription of presented.presenting) {
    // A round opens for all players.
    if (now === (subscription.progress ?? `${openedVersion} ${players}`)) continue;
    subscription.progress = now;
    subscription.listener.send(text);
  }
}

function createNamedTasks(logger: Logger) {
  const running = new Map<string, Promise<unknown>>();
  return {
    /** Starts the task, unless one of this name is running. A failure is logged. */
    start(name: string, task: () => Promise<unknown>): void {
      if (running.has(name)) return;
      const run = task()
        .catch((error: unknown) => logFailure(logger, 'error', error, 'lobby not repaired', { name }))
        .finally(() => running.delete(name));
      running.set(name, run);
    },
    /** Resolves when no task is running any more, those included that tasks have started. */
    async finished(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
