// Plays one lobby from its creation to its end. Its clients wait, lose their connections, join late, leave, are
// removed, and retry until they get through; the host starts, skips, locks, ends and starts again. [contract 11]
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type CreateLobbyRequest } from '../../client/index.ts';
import type { ServerEvent } from '../../client/types.ts';
import type { Join, ListTerm, LobbyHistory, PlayedLobby } from './history.ts';
import type { Random } from './random.ts';
import { type ClientContext, forEachLimited, GIVE_UP_MS, patientClient } from './retry.ts';
import { type Account, type Player, type PlayerManner, seatPlayer, type Transport } from './robot.ts';

const TICK_MS = 100;
const ASK_EVERY_MS = 1000;
/** The largest number of rounds that a host sets. More would make a run long without testing more. */
const ROUNDS_MAX = 4;
/** The longest game is one of a room; longer ones are given up. */
const LONGEST_ROUNDS = 10;
/** The smallest number of present users at which the host removes one, so that a game still has two. */
const KICK_MIN_USERS = 3;
/** Within this time, ms, a proxy begins to let no sockets through; a player changes over at the next connection. */
const BLOCKED_WITHIN_MS = 60_000;

export interface LobbyDeps extends ClientContext {
  settings: NonNullable<CreateLobbyRequest['settings']> & LobbyHistory['settings'];
  /** The terms of the list, if the settings name one. */
  words?: readonly ListTerm[] | undefined;
  /** The longest time that a player waits before answering, ms. */
  thinkMs: number;
  /** The number of games that a lobby plays, one after the other. */
  games: number;
  player: Pick<PlayerManner, 'handshakeTimeoutMs' | 'retryMs'> & { transport?: Transport };
  /** The share of players on streams, and of players whose sockets are blocked from some moment on. */
  streams?: number;
  /** Whether nothing happens by chance, and a game begins when everybody is there. */
  isRoom?: boolean;
  /** Whether another game may still begin. */
  isTimeLeft(): boolean;
  /** @param rounds the number of rounds that the game had */
  onGameOver?(rounds: number): void;
}

type EventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

const eventsOf = <T extends ServerEvent['type']>({ client: { received } }: Player, type: T) =>
  received.flatMap(({ event }) => (event.type === type ? [event as EventOf<T>] : []));

const lastGameEvent = ({ client: { received } }: Player) =>
  received.findLast(({ event }) => event.type.startsWith('game:'))?.event;

const latestState = ({ client: { received } }: Player) =>
  received.findLast(({ event }) => event.type === 'lobby:state')?.event as EventOf<'lobby:state'> | undefined;

/** @param type of an event that each game has @returns the number of games of which the player received one */
const gamesWith = (player: Player, type: 'game:question' | 'game:finished') =>
  new Set(eventsOf(player, type).map(({ gameId }) => gameId)).size;

/** @param game the game's number within the lobby, from 1 */
const isOver = (player: Player, game: number) =>
  gamesWith(player, 'game:finished') >= game || player.lobby.status === 'ended';

/** @returns the present player who is the host now; the role passes on when a host leaves */
function hostOf(present: readonly Player[]): Player | undefined {
  const states = present.flatMap((player) => latestState(player) ?? []);
  const latest = states.toSorted((a, b) => b.seq - a.seq)[0];
  return latest ? present.find(({ user }) => user.id === latest.lobby.hostId) : present[0];
}

/** @returns the lobby if, by the player's last event, it waits for a game */
function waitingLobby(player: Player) {
  const state = latestState(player);
  const last = lastGameEvent(player);
  const isNews = state && (!last || last.seq <= state.seq);
  return isNews && state.lobby.status === 'waiting' ? state.lobby : undefined;
}

/**
 * Starts a game, or asks for another one, where that is possible.
 * @param connectedMin the number of players who must be there @returns whether it sent anything
 */
function startGame(host: Player, game: number, connectedMin: number): boolean {
  const lobby = waitingLobby(host);
  if (lobby) {
    if (lobby.connectedCount < connectedMin) return false;
    void host.lobby.start();
    return true;
  }
  if (game === 1 || lastGameEvent(host)?.type !== 'game:finished' || isOver(host, game)) return false;
  void host.lobby.again();
  return true;
}

function skipPhase(host: Player): void {
  const last = lastGameEvent(host);
  if (last?.type === 'game:question') void host.lobby.next(last.round, 'round');
  if (last?.type === 'game:answer_result') void host.lobby.next(last.round, 'intermission');
}

/** @throws the error if it is none of the refusals that a lobby may give at any time */
function refusalOf(error: unknown): string {
  if (error instanceof ApiError && [403, 409, 429].includes(error.status)) return error.code;
  throw error;
}

const usersOf = (players: readonly Player[]) => new Set(players.map(({ user }) => user.id)).size;

/**
 * Creates a lobby, lets its users join, and plays its games.
 * @param accounts the first one is the host
 * @returns the record of the lobby after its clients have disconnected
 * @throws ApiError if the service refuses the lobby or a join for good
 */
export async function playLobby(deps: LobbyDeps, accounts: readonly Account[], random: Random): Promise<PlayedLobby> {
  const { settings, signal, isRoom = false, streams = 0 } = deps;
  const happens = (probability: number) => !isRoom && random.chance(probability);
  const [host, ...others] = accounts as [Account, ...Account[]];
  const players: Player[] = [];
  const joins: Join[] = [];
  const leaving = new Set<string>();
  const kicked = new Set<string>();
  let late = others.length > 1 && happens(0.3) ? others.at(-1) : undefined;
  // The latecomer is not a member yet if `lateJoin` is on; otherwise they are one, without a socket.
  const outsider = settings.lateJoin ? late : undefined;

  const capacity = Math.max(2, accounts.length);
  const { lobbyId, code } = await enter(host, (client) => client.createLobby({ capacity, settings }));
  const joinLobby = (client: Client) => client.joinLobby(code);
  /** Tries to join a lobby that may refuse it. @returns the error code, or null if the join succeeded */
  const tryJoin = (account: Account) => enter(account, joinLobby).then(() => null, refusalOf);
  try {
    connect(host);
    await forEachLimited(others, async (account) => {
      if (account !== outsider) await enter(account, joinLobby);
      if (account !== late) connect(account);
    });
    for (let game = 1; game <= deps.games; game++) {
      if (game > 1 && (!deps.isTimeLeft() || usersOf(players) - leaving.size - kicked.size < 2)) break;
      await playUntilOver(game);
      const rounds = players.map((player) => eventsOf(player, 'game:answer_result').at(-1)?.round ?? 0);
      if (!signal.aborted) deps.onGameOver?.(Math.max(0, ...rounds));
    }
    for (const { user, client } of players)
      if (client.asides.some(({ message }) => message.type === 'lobby:kicked')) await tryJoin(user);
    await sleep(random.int(0, 500));
  } finally {
    for (const player of players) player.lobby.close();
  }
  const words = 'listId' in settings && settings.listId !== undefined ? (deps.words ?? null) : null;
  const clients = players.map(({ client }) => client);
  return { lobbyId, code, settings, words, clients, joins, leaving: [...leaving], kicked: [...kicked] };

  /** Sends a request by which a user enters the lobby, and records it. */
  async function enter<T>(account: Account, request: (client: Client) => Promise<T>): Promise<T> {
    const join: Join = { userId: account.id, fromMs: Date.now(), toMs: Number.NaN, refusal: null };
    joins.push(join);
    try {
      return await request(patientClient(deps, account));
    } catch (error) {
      join.refusal = error instanceof ApiError ? error.code : 'UNKNOWN';
      throw error;
    } finally {
      join.toMs = Date.now();
    }
  }

  /** Connects a user's devices. */
  function connect(account: Account): void {
    const isSilent = happens(0.15) || (isRoom && account === host);
    const think = () => (isSilent ? null : random.int(0, Math.round(deps.thinkMs)));
    const transport = random.chance(streams) ? 'sse' : (deps.player.transport ?? 'auto');
    const blockedFromMs = random.chance(streams) ? performance.now() + random.int(0, BLOCKED_WITHIN_MS) : Infinity;
    const isBlocked = () => performance.now() >= blockedFromMs;
    const asksTwice = happens(0.7);
    const manner = { ...deps.player, transport, isBlocked, asksTwice, random: random.fork() };
    players.push(seatPlayer(deps.url, account, code, { ...manner, thinkMs: think }));
    // Another device of the user, which only watches.
    if (happens(0.2)) players.push(seatPlayer(deps.url, account, code, { ...manner, thinkMs: () => null }));
  }

  /**
   * Acts on the lobby at random, tick by tick, until its current game has ended for everybody. More frequent actions
   * would let hardly any game come to its end.
   * @param game the game's number within the lobby, from 1
   */
  async function playUntilOver(game: number): Promise<void> {
    const connectedMin = isRoom ? accounts.length : 2;
    const { roundMs = 0, intermissionMs = 0 } = settings;
    const endMs = performance.now() + GIVE_UP_MS + LONGEST_ROUNDS * (roundMs + intermissionMs);
    let askedMs = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const present = players.filter(({ user }) => !leaving.has(user.id) && !kicked.has(user.id));
      if (present.every((player) => isOver(player, game)) && !late) return;
      // A single player can't restart a game that a failover has lost.
      if (usersOf(present) < 2 && present.every(waitingLobby) && !late) return;
      if (performance.now() > endMs) {
        const stuck = present.find((player) => !isOver(player, game));
        const last = stuck && lastGameEvent(stuck)?.type;
        return deps.onTrouble(`lobby ${code}: no end for ${stuck?.user.name} (${stuck?.lobby.status}) after ${last}`);
      }
      const leader = hostOf(present);
      if (leader && waitingLobby(leader) && happens(0.05))
        void leader.lobby.configure({ settings: { rounds: random.int(1, ROUNDS_MAX) } });
      const mayAsk = leader && performance.now() - askedMs > ASK_EVERY_MS;
      if (mayAsk && startGame(leader, game, connectedMin)) askedMs = performance.now();
      if (happens(0.003 * players.length)) random.pick(players).drop();
      if (happens(0.02)) random.pick(players).say({ type: 'game:ready' });
      const isRunning = present.some((player) => gamesWith(player, 'game:question') >= game);
      if (late && (isRunning || !leader) && happens(0.1)) {
        const latecomer = late;
        late = undefined;
        // The lobby may be locked, or the game may have ended in the meantime.
        if (latecomer !== outsider || (await tryJoin(latecomer)) === null) connect(latecomer);
      }
      if (isRunning && leader) actAsHost(leader, present);
      if (isRunning && leaving.size === 0 && happens(0.004)) {
        const { user, lobby } = random.pick(present);
        leaving.add(user.id);
        // The reply may never come, and nothing depends on it.
        void lobby.leave();
      }
      await sleep(TICK_MS);
    }
  }

  /** Lets the host do one of the things that a host can do while a game runs. */
  function actAsHost(leader: Player, present: readonly Player[]): void {
    if (happens(0.002)) skipPhase(leader);
    if (happens(0.001)) void leader.lobby.end();
    if (late && happens(0.1)) void leader.lobby.lock(!latestState(leader)?.lobby.locked);
    const rest = present.filter(({ user }) => user.id !== leader.user.id);
    if (kicked.size > 0 || usersOf(present) < KICK_MIN_USERS || !happens(0.002)) return;
    const { user } = random.pick(rest);
    kicked.add(user.id);
    void leader.lobby.kick(user.id);
  }
}
