// Plays one lobby from its creation to its end, with settings drawn at random. Its clients wait, lose their connections,
// join late, leave and are removed, and retry until they get through; the host starts, skips, locks, ends and starts again.
// [contract 11]
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type CreateLobbyRequest, type Lobby } from '../../client/index.ts';
import type { LobbySettings, ServerEvent, Vocabulary } from '../../client/types.ts';
import type { Attempt, ListTerm, LobbyHistory, Span } from './history.ts';
import type { StudyList } from './learn.ts';
import type { Random } from './random.ts';
import { type ClientContext, GIVE_UP_MS, patientClient } from './retry.ts';
import { type Account, type Player, type PlayerOptions, recordOf, seatPlayer } from './robot.ts';

/** The smallest deck, in terms, that is sure to have enough questions for a game. */
const DECK_MIN = 40;
const INTERMISSIONS_MS = [0, 0, 1000, 2000];
const SETTING_CHANCES = { list: 0.3, presented: 0.3, lateJoin: 0.5, compact: 0.25, present: 0.3 } as const;

/** @returns a random deck that is large enough for a game, if there is one */
export function pickDeck(random: Random, { decks }: Vocabulary) {
  const large = decks.filter(({ terms }) => terms >= DECK_MIN);
  const { sourceLanguage, targetLanguage, pos, difficulty } = random.pick(large.length > 0 ? large : decks);
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/** @param list a list that the players can read, or null */
export function drawSettings(
  random: Random,
  vocabulary: Vocabulary,
  roundMs: number,
  list: StudyList | null,
): NonNullable<CreateLobbyRequest['settings']> & LobbySettings {
  const words = list && random.chance(SETTING_CHANCES.list) ? { listId: list.listId } : pickDeck(random, vocabulary);
  return {
    ...words,
    roundMs,
    rounds: random.int(2, 4),
    intermissionMs: random.pick(INTERMISSIONS_MS),
    scoring: random.pick(['accuracy', 'speed', 'streak'] as const),
    hostPlays: !random.chance(SETTING_CHANCES.presented),
    lateJoin: random.chance(SETTING_CHANCES.lateJoin),
    compact: random.chance(SETTING_CHANCES.compact),
    waitFor: random.chance(SETTING_CHANCES.present) ? 'present' : 'all',
    answerMode: 'choice',
    names: random.pick(['any', 'unique', 'given'] as const),
    readMs: 0,
  };
}

// The commands of a lobby's host, and what the host's client knows of the lobby. [contract 11]

export const eventsOf = <T extends ServerEvent['type']>({ received }: Player, type: T) =>
  received.flatMap(({ event }) => (event.type === type ? [event as Extract<ServerEvent, { type: T }>] : []));

const lastGameEvent = ({ received }: Player) => received.findLast(({ event }) => event.type.startsWith('game:'))?.event;

const gamesBegun = (player: Player) => new Set(eventsOf(player, 'game:question').map(({ gameId }) => gameId)).size;

/** @param game the game's number within the lobby, from 1 */
export function isOver(player: Player, game: number): boolean {
  const ended = new Set(eventsOf(player, 'game:finished').map(({ gameId }) => gameId)).size;
  return ended >= game || player.lobby.status === 'ended';
}

const latestState = (player: Player) => eventsOf(player, 'lobby:state').at(-1);

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

/** Starts a game, or asks for another one, where that is possible. @returns whether it sent anything */
function startGame(host: Player, game: number): boolean {
  const last = lastGameEvent(host);
  const lobby = waitingLobby(host);
  if (lobby) {
    if (lobby.connectedCount < 2) return false;
    void host.lobby.start();
    return true;
  }
  if (game === 1 || last?.type !== 'game:finished' || isOver(host, game)) return false;
  void host.lobby.again();
  return true;
}

function skipPhase(host: Player): void {
  const last = lastGameEvent(host);
  if (last?.type === 'game:question') void host.lobby.next(last.round, 'round');
  if (last?.type === 'game:answer_result') void host.lobby.next(last.round, 'intermission');
}

/** Sets the number of rounds while the lobby waits. */
function configure(host: Player, rounds: number): void {
  if (latestState(host)?.lobby.status === 'waiting') void host.lobby.configure({ settings: { rounds } });
}

function toggleLock(host: Player): void {
  void host.lobby.lock(!latestState(host)?.lobby.locked);
}

// The random actions on a lobby while its games run: players lose their connections, join late, leave and
// are removed; the host starts, skips, locks, ends and starts again.

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

export interface LobbyDeps extends ClientContext {
  /** The longest time that a player waits before answering, ms. */
  thinkMs: number;
  /** The number of games that a lobby plays, one after the other. */
  games: number;
  settings(random: Random): NonNullable<CreateLobbyRequest['settings']> & LobbyHistory['settings'];
  /** The terms of the list, if the settings name one. */
  words?: readonly ListTerm[] | undefined;
  player: Pick<PlayerOptions, 'handshakeTimeoutMs' | 'retryMs' | 'transport'>;
  /** The share of players on streams, and of players whose sockets are blocked from some moment on. */
  streams?: number;
  /** Whether another game may still begin. */
  isTimeLeft(): boolean;
  onConnected?(player: Player): void;
  /** @param rounds the number of rounds that the game had */
  onGameOver?(players: readonly Player[], rounds: number): void;
}

/** The state that the random actions on a lobby share. */
interface GameRun {
  deps: LobbyDeps;
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

const mayPlayOn = ({ deps, players, leaving, kicked }: GameRun) =>
  deps.isTimeLeft() && usersOf(players) - leaving.size - kicked.size >= 2;

/**
 * Acts on the lobby at random, tick by tick, until its current game has ended for everybody.
 * @param game the game's number within the lobby, from 1
 */
async function playUntilOver(run: GameRun, game: number): Promise<void> {
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
  if (random.chance(CHANCES.end)) void host.lobby.end();
  if (late && random.chance(CHANCES.lock)) toggleLock(host);
  const others = present.filter(({ user }) => user.id !== host.user.id);
  if (kicked.size > 0 || usersOf(present) < KICK_MIN_USERS || !random.chance(CHANCES.kick)) return;
  const { user } = random.pick(others);
  kicked.add(user.id);
  void host.lobby.kick(user.id);
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

/** The probability that a user has a second device, which only watches. */
const DEVICE_CHANCE = 0.2;
/** The probability that one user joins after the game has begun. */
const LATE_CHANCE = 0.3;
/** The number of joins of a locked lobby that a latecomer tries. The code limiter would count more. */
const LOCKED_ATTEMPTS_MAX = 2;

/** The record of a lobby after its clients have disconnected. */
export interface Played {
  history: Omit<LobbyHistory, 'stored' | 'members'>;
  players: readonly Player[];
  /** How long each request took, retries included. */
  asked: Span[];
  untilMs: number;
}

/**
 * Creates a lobby, lets its users join, and plays its games.
 * @param accounts the first one is the host
 * @throws ApiError if the service refuses the lobby or a join for good
 */
export async function playLobby(deps: LobbyDeps, accounts: readonly Account[], random: Random): Promise<Played> {
  const settings = deps.settings(random);
  const capacity = Math.max(2, accounts.length);
  const entrance = createEntrance(deps);
  const [host, ...others] = accounts as [Account, ...Account[]];
  const { lobbyId, code } = await entrance.ask('a lobby', host, (client) => client.createLobby({ capacity, settings }));
  entrance.joined.push(host.id);
  const late = others.length > 1 && random.chance(LATE_CHANCE) ? others.at(-1) : undefined;
  // The latecomer is not a member yet if `lateJoin` is on; otherwise they are one, without a socket.
  const outsider = settings.lateJoin ? late : undefined;
  const invited = others.filter((account) => account !== outsider);
  await Promise.all(invited.map((account) => entrance.join(account, code)));

  const players: Player[] = [];
  const connect = (account: Account) => {
    const devices = connectDevices(deps, account, code, random.fork());
    players.push(...devices);
    for (const player of devices) deps.onConnected?.(player);
  };
  let lockedAttempts = 0;
  const arrive = async (account: Account): Promise<boolean> => {
    if (account === outsider) {
      const refusal = await entrance.tryJoin(account, code);
      if (refusal === 'LOBBY_LOCKED') return ++lockedAttempts >= LOCKED_ATTEMPTS_MAX;
      // The game has ended in the meantime.
      if (refusal !== null) return true;
    }
    connect(account);
    return true;
  };
  for (const account of accounts) if (account !== late) connect(account);

  const run: GameRun = { deps, code, players, random, late, arrive, leaving: new Set(), kicked: new Set() };
  try {
    for (let game = 1; game <= deps.games && (game === 1 || mayPlayOn(run)); game++) {
      await playUntilOver(run, game);
      if (!deps.signal.aborted) deps.onGameOver?.(players, roundsOf(run));
    }
    for (const player of players) if (isRemoved(player)) await entrance.tryJoin(player.user, code);
    await sleep(random.int(0, 500));
  } finally {
    for (const player of players) player.stop();
  }
  const { joined, attempts, asked } = entrance;
  const history = {
    lobbyId,
    code,
    settings,
    clients: players.map(recordOf),
    joined,
    attempts,
    leaving: [...run.leaving],
    kicked: [...run.kicked],
    words: 'listId' in settings && settings.listId !== undefined ? (deps.words ?? null) : null,
  };
  return { history, players, asked, untilMs: Date.now() };
}

/** Sends the lobby's HTTP requests and records the attempts to join. */
function createEntrance(deps: LobbyDeps) {
  const asked: Span[] = [];
  const joined: string[] = [];
  const attempts: Attempt[] = [];

  async function ask(what: string, user: Account, request: (client: Client) => Promise<Lobby>): Promise<Lobby> {
    const fromMs = Date.now();
    const lobby = await request(patientClient(deps, user));
    asked.push({ what, fromMs, toMs: Date.now() });
    return lobby;
  }

  async function join(account: Account, code: string): Promise<void> {
    await ask(`a join of lobby ${code}`, account, (client) => client.joinLobby(code));
    joined.push(account.id);
  }

  /** Tries to join a lobby that may refuse it. @returns the error code, or null if the join succeeded */
  async function tryJoin(account: Account, code: string): Promise<string | null> {
    const fromMs = Date.now();
    const refusal = await join(account, code).then(
      () => null,
      (error: unknown) => {
        if (error instanceof ApiError && [403, 409, 429].includes(error.status)) return error.code;
        throw error;
      },
    );
    attempts.push({ userId: account.id, fromMs, refusal });
    return refusal;
  }

  return { asked, joined, attempts, ask, join, tryJoin };
}

/** Within this time, ms, a proxy begins to let no sockets through; a player changes over at the next connection. */
const BLOCKED_WITHIN_MS = 60_000;

/** Connects a user's devices. @returns a player for each of them */
function connectDevices(deps: LobbyDeps, account: Account, code: string, random: Random): Player[] {
  const isSilent = random.chance(0.15);
  const think = () => (isSilent ? null : random.int(0, Math.round(deps.thinkMs)));
  const { player, streams = 0 } = deps;
  const transport = random.chance(streams) ? ('sse' as const) : player.transport;
  const blockedFromMs = random.chance(streams) ? performance.now() + random.int(0, BLOCKED_WITHIN_MS) : Infinity;
  const isBlocked = () => performance.now() >= blockedFromMs;
  const options = { ...player, transport, isBlocked, random: random.next, asksTwice: random.chance(0.7) };
  const devices = [seatPlayer(deps.url, account, code, think, options)];
  if (random.chance(DEVICE_CHANCE)) devices.push(seatPlayer(deps.url, account, code, () => null, options));
  return devices;
}

const isRemoved = ({ asides }: Player) => asides.some(({ message }) => message.type === 'lobby:kicked');

const roundsOf = ({ players }: GameRun) =>
  Math.max(0, ...players.map((player) => eventsOf(player, 'game:answer_result').at(-1)?.round ?? 0));
