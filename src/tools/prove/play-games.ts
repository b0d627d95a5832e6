// The random actions on a lobby while its games run: players lose their connections, join late, leave and
// are removed; the host starts, skips, locks, ends and starts again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateLobbyRequest } from '../../client/index.ts';
import type { ListTerm, LobbyHistory } from './history.ts';
import {
  configure,
  gamesBegun,
  hostOf,
  isOver,
  lastGameEvent,
  skipPhase,
  startGame,
  toggleLock,
  waitingLobby,
} from './host.ts';
import type { Account, Player, PlayerOptions } from './player.ts';
import type { Random } from './random.ts';
import { GIVE_UP_MS, type RetryContext } from './retry.ts';

const TICK_MS = 100;
const ASK_EVERY_MS = 1000;
/** The probability of each action within one tick. */
const CHANCES = {
  dropEach: 0.003,
  look: 0.02,
  arrive: 0.1,
  leave: 0.004,
  skip: 0.002,
  end: 0.001,
  kick: 0.002,
  lock: 0.1,
  configure: 0.05,
} as const;
/** The largest number of rounds that a host sets. More would make a run long without testing more. */
const ROUNDS_MAX = 4;
/** The smallest number of present users at which the host removes one, so that a game still has two. */
const KICK_MIN_USERS = 3;

export interface LobbyDeps extends RetryContext {
  url: string;
  /** The longest time that a player waits before answering, ms. */
  thinkMs: number;
  /** The number of games that a lobby plays, one after the other. */
  games: number;
  settings(random: Random): NonNullable<CreateLobbyRequest['settings']> & LobbyHistory['settings'];
  /** The terms of the list, if the settings name one. */
  words?: readonly ListTerm[] | undefined;
  player: Pick<PlayerOptions, 'handshakeTimeoutMs' | 'retryMs'>;
  /** Whether another game may still begin. */
  isTimeLeft(): boolean;
  onConnected?(player: Player): void;
  /** @param rounds the number of rounds that the game had */
  onGameOver?(players: readonly Player[], rounds: number): void;
}

/** The state that the random actions on a lobby share. */
export interface GameRun {
  deps: LobbyDeps;
  /** The lobby's code. */
  code: string;
  players: Player[];
  /** Ids of the users who have sent `lobby:leave`. */
  leaving: Set<string>;
  /** Ids of the users for whom the host has sent `lobby:kick`. */
  kicked: Set<string>;
  random: Random;
  /** The user who joins during the game, until they have joined. */
  late: Account | undefined;
  /** Lets the latecomer join. @returns false if the lobby was locked and the attempt is to be repeated */
  arrive(account: Account): Promise<boolean>;
}

const usersOf = (players: readonly Player[]) => new Set(players.map(({ user }) => user.id)).size;

export const mayPlayOn = ({ deps, players, leaving, kicked }: GameRun) =>
  deps.isTimeLeft() && usersOf(players) - leaving.size - kicked.size >= 2;

/**
 * Acts on the lobby at random, tick by tick, until its current game has ended for everybody.
 * @param game the game's number within the lobby, from 1
 */
export async function playUntilOver(run: GameRun, game: number): Promise<void> {
  const { deps, code, players, leaving, kicked, random } = run;
  const startedMs = performance.now();
  let askedMs = Number.NEGATIVE_INFINITY;
  while (!deps.signal.aborted) {
    const present = players.filter(({ user }) => !leaving.has(user.id) && !kicked.has(user.id));
    if (present.every((player) => isOver(player, game)) && !run.late) return;
    // A single player can't restart a game that a failover has lost.
    if (usersOf(present) < 2 && present.every(waitingLobby) && !run.late) return;
    if (performance.now() - startedMs > GIVE_UP_MS) {
      deps.onTrouble(`lobby ${code}: no player has received a game’s end: ${describePlayers(present)}`);
      return;
    }
    const host = hostOf(present);
    if (host && random.chance(CHANCES.configure)) configure(host, random.int(1, ROUNDS_MAX));
    if (host && performance.now() - askedMs > ASK_EVERY_MS && startGame(host, game)) askedMs = performance.now();
    if (random.chance(CHANCES.dropEach * players.length)) random.pick(players).drop();
    if (random.chance(CHANCES.look)) random.pick(players).say({ type: 'game:ready' });
    const isRunning = present.some((player) => gamesBegun(player) >= game);
    await admitLatecomer(run, isRunning || !host);
    if (isRunning && host) actAsHost(run, host, present);
    if (isRunning && leaving.size === 0 && random.chance(CHANCES.leave)) leave(run, random.pick(present));
    await sleep(TICK_MS);
  }
}

async function admitLatecomer(run: GameRun, isTime: boolean): Promise<void> {
  const { late, random } = run;
  if (!late || !isTime || !random.chance(CHANCES.arrive)) return;
  if (await run.arrive(late)) run.late = undefined;
}

/** Lets the host do one of the things that a host can do while a game runs. */
function actAsHost(run: GameRun, host: Player, present: readonly Player[]): void {
  const { random, kicked, late } = run;
  if (random.chance(CHANCES.skip)) skipPhase(host);
  if (random.chance(CHANCES.end)) host.lobby.end();
  if (late && random.chance(CHANCES.lock)) toggleLock(host);
  const others = present.filter(({ user }) => user.id !== host.user.id);
  if (kicked.size > 0 || usersOf(present) < KICK_MIN_USERS || !random.chance(CHANCES.kick)) return;
  const { user } = random.pick(others);
  kicked.add(user.id);
  host.lobby.kick(user.id);
}

function leave({ leaving }: GameRun, player: Player): void {
  leaving.add(player.user.id);
  // The reply may never come, and nothing depends on it.
  void player.lobby.leave();
}

function describePlayers(players: readonly Player[]): string {
  const told = (player: Player) => lastGameEvent(player)?.type ?? 'no game';
  return players.map((player) => `${player.user.name}: ${told(player)} (${player.lobby.status})`).join(', ');
}
