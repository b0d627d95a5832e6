// What happens while a lobby's games go on, tick by tick, as chance has it: players lose their
// connections, come late, leave and are removed; the host starts, hurries, locks, ends and goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { GIVE_UP_MS } from './asking.ts';
import {
  command,
  configure,
  cut,
  gamesBegun,
  hostOf,
  isOver,
  lastGameEvent,
  turnLock,
  waitingLobby,
} from './host.ts';
import type { Account, Player } from './player.ts';
import type { Random } from './random.ts';
import type { TableDeps } from './table.ts';

const TICK_MS = 100;
const ASK_EVERY_MS = 1000;
/** How likely it is that something happens within a tick. */
const CHANCES = {
  ...{ dropEach: 0.003, look: 0.02, come: 0.1 },
  ...{ leave: 0.004, cut: 0.002, end: 0.001, kick: 0.002, lock: 0.1, configure: 0.05 },
} as const;
/** So many rounds a host may wish for. */
const ROUNDS_MAX = 4;
/** With fewer at a table nobody is removed. */
const KICK_FROM = 3;

export interface Course {
  deps: TableDeps;
  players: Player[];
  /** Ids of those who left for good. */
  leaving: Set<string>;
  /** Ids of those whom the host has removed, or has tried to. */
  kicked: Set<string>;
  random: Random;
  /** Who has not come yet. */
  late: Account | undefined;
  /** Seats who comes late. @returns false while the door is locked */
  come(account: Account): Promise<boolean>;
}

const usersOf = (players: readonly Player[]) => new Set(players.map(({ user }) => user.id)).size;

export const mayGoOn = ({ deps, players, leaving, kicked }: Course) =>
  deps.isTimeLeft() && usersOf(players) - leaving.size - kicked.size >= 2;

/** @param game which one of the lobby, from 1 */
export async function untilOver(course: Course, game: number): Promise<void> {
  const { deps, players, leaving, kicked, random } = course;
  const startedMs = Date.now();
  let askedMs = 0;
  while (!deps.signal.aborted) {
    const present = players.filter(({ user }) => !leaving.has(user.id) && !kicked.has(user.id));
    if (present.every((player) => isOver(player, game)) && !course.late) return;
    // One alone can't start anew a game that was lost.
    if (usersOf(present) < 2 && present.every(waitingLobby) && !course.late) return;
    if (Date.now() - startedMs > GIVE_UP_MS) {
      deps.onTrouble(`nobody has seen the end of a game: ${describe(present)}`);
      return;
    }
    const host = hostOf(present);
    if (host && random.chance(CHANCES.configure)) configure(host, random.int(1, ROUNDS_MAX));
    if (host && Date.now() - askedMs > ASK_EVERY_MS && command(host, game)) askedMs = Date.now();
    if (random.chance(CHANCES.dropEach * players.length)) random.pick(players).drop();
    if (random.chance(CHANCES.look)) random.pick(players).say({ type: 'game:ready' });
    const isRunning = present.some((player) => gamesBegun(player) >= game);
    await comeLate(course, isRunning || !host);
    if (isRunning && host) preside(course, host, present);
    if (isRunning && leaving.size === 0 && random.chance(CHANCES.leave))
      leave(course, random.pick(present));
    await sleep(TICK_MS);
  }
}

async function comeLate(course: Course, isTime: boolean): Promise<void> {
  const { late, random } = course;
  if (!late || !isTime || !random.chance(CHANCES.come)) return;
  if (await course.come(late)) course.late = undefined;
}

/** What a host may do besides starting a game. */
function preside(course: Course, host: Player, present: readonly Player[]): void {
  const { random, kicked, late } = course;
  if (random.chance(CHANCES.cut)) cut(host);
  if (random.chance(CHANCES.end)) host.lobby.end();
  if (late && random.chance(CHANCES.lock)) turnLock(host);
  const others = present.filter(({ user }) => user.id !== host.user.id);
  if (kicked.size > 0 || usersOf(present) < KICK_FROM || !random.chance(CHANCES.kick)) return;
  const { user } = random.pick(others);
  kicked.add(user.id);
  host.lobby.kick(user.id);
}

function leave({ leaving }: Course, player: Player): void {
  leaving.add(player.user.id);
  // The answer may never come; nobody waits for it.
  void player.lobby.leave();
}

function describe(players: readonly Player[]): string {
  const told = (player: Player) => lastGameEvent(player)?.type ?? 'no game';
  return players
    .map((player) => `${player.user.name}: ${told(player)} (${player.lobby.status})`)
    .join(', ');
}
