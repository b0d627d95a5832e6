// One lobby from its beginning to its end, played by clients that think, lose their connections, come
// late and leave, as chance has it, and try again until they get through.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type CreateLobbyRequest, createClient, type Lobby } from '../client/index.ts';
import type { ServerEvent } from '../client/types.ts';
import type { LobbyHistory, Span } from './history.ts';
import { type Account, type Player, type PlayerOptions, seatPlayer } from './player.ts';
import type { Random } from './random.ts';

const TICK_MS = 100;
const ASK_EVERY_MS = 1000;
/** Whoever waits so long for the end of a game of seconds, waits for ever. */
const GIVE_UP_MS = 180_000;
/** A limiter that asks for more says no. */
const PATIENCE_MS = 10_000;
/** How likely it is that something happens within a tick. */
const CHANCES = { dropEach: 0.003, leave: 0.004, come: 0.1, cut: 0.002, look: 0.02 } as const;
/** How likely it is that somebody is there on a second device. */
const DEVICE_CHANCE = 0.2;

export interface TableDeps {
  url: string;
  /** How long players think at most. */
  thinkMs: number;
  /** How many games one after the other. */
  games: number;
  settings(random: Random): CreateLobbyRequest['settings'] & { scoring: LobbyHistory['scoring'] };
  /** Whether the host ends phases now and then. */
  isPresented: boolean;
  /** Whether players ask for the screen again, are there on two devices, and join while a game runs. */
  isRestless: boolean;
  /** Another release plays too; nobody knows which of them a failure is from. */
  isMixed: boolean;
  player: Pick<PlayerOptions, 'handshakeTimeoutMs' | 'retryMs'>;
  /** The run is being ended: everything stops where it is. */
  signal: AbortSignal;
  /** No further game is begun. */
  isTimeLeft(): boolean;
  /** Something that no outage explains. */
  onTrouble(text: string): void;
  onSeated?(player: Player): void;
  /** @param rounds how many it had */
  onGameOver?(players: readonly Player[], rounds: number): void;
}

/** What is known of a lobby when its clients have gone. */
export interface Played {
  history: Omit<LobbyHistory, 'stored' | 'members'>;
  players: readonly Player[];
  /** How long each request took until it was granted. */
  asked: Span[];
  untilMs: number;
}

/**
 * @param accounts the first one is the host
 * @throws ApiError when they are not let play
 */
export async function playLobby(
  deps: TableDeps,
  accounts: readonly Account[],
  random: Random,
): Promise<Played> {
  const asked: Span[] = [];
  const settings = deps.settings(random);
  const capacity = Math.max(2, accounts.length);
  const ask = async (what: string, { cookie }: Account, request: Asking) => {
    const fromMs = Date.now();
    const client = createClient({ baseUrl: deps.url, cookie });
    const lobby = await untilGranted(deps, what, () => request(client));
    asked.push({ what, fromMs, toMs: Date.now() });
    return lobby;
  };
  const [host, ...others] = accounts as [Account, ...Account[]];
  const { lobbyId, code } = await ask('a lobby', host, (client) =>
    client.createLobby({ capacity, settings }),
  );
  const joined = [host.id];
  const join = async (account: Account) => {
    await ask('a join', account, (client) => client.joinLobby(code));
    joined.push(account.id);
  };
  const late = others.length > 1 && random.chance(0.2) ? others.at(-1) : undefined;
  // A late one is a member from the start, or not even that.
  const stranger = deps.isRestless && settings.lateJoin ? late : undefined;
  await Promise.all(others.filter((account) => account !== stranger).map(join));

  const players: Player[] = [];
  const seat = (account: Account) => {
    const luck = random.fork();
    const isSilent = luck.chance(0.15);
    const think = () => (isSilent ? null : luck.int(0, Math.round(deps.thinkMs)));
    const options = { ...deps.player, random: luck.next, asksTwice: luck.chance(0.7) };
    const devices = [seatPlayer(deps.url, account, code, think, options)];
    if (deps.isRestless && luck.chance(DEVICE_CHANCE))
      devices.push(seatPlayer(deps.url, account, code, () => null, options));
    players.push(...devices);
    for (const player of devices) deps.onSeated?.(player);
  };
  const come = async (account: Account) => {
    try {
      if (account === stranger) await join(account);
      seat(account);
    } catch (error) {
      // The game is over meanwhile.
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    }
  };
  for (const account of accounts) if (account !== late) seat(account);

  const course: Course = { deps, players, leaving: new Set(), random, late, come };
  try {
    for (let game = 1; game <= deps.games && (game === 1 || mayGoOn(course)); game++)
      await untilOver(course, game);
    await sleep(random.int(0, 500));
  } finally {
    for (const player of players) player.stop();
  }
  const leaving = [...course.leaving];
  const { scoring } = settings;
  const history = { lobbyId, code, scoring, clients: players, joined, leaving };
  return { history, players, asked, untilMs: Date.now() };
}

interface Course {
  deps: TableDeps;
  players: Player[];
  /** Ids of those who left for good. */
  leaving: Set<string>;
  random: Random;
  late: Account | undefined;
  /** Seats who comes late, unless that is too late. */
  come(account: Account): Promise<void>;
}

const mayGoOn = ({ deps, players, leaving }: Course) =>
  deps.isTimeLeft() && new Set(players.map(({ user }) => user.id)).size - leaving.size >= 2;

/** @param game which one of the lobby, from 1 */
async function untilOver(course: Course, game: number): Promise<void> {
  const { deps, players, leaving, random } = course;
  const startedMs = Date.now();
  let askedMs = 0;
  while (!deps.signal.aborted) {
    const present = players.filter(({ user }) => !leaving.has(user.id));
    if (present.every((player) => isOver(player, game)) && !course.late) {
      deps.onGameOver?.(players, Math.max(0, ...present.map(lastRound)));
      return;
    }
    if (Date.now() - startedMs > GIVE_UP_MS) {
      deps.onTrouble(`nobody has seen the end of a game: ${describe(players)}`);
      return;
    }
    const host = hostOf(present);
    if (host && Date.now() - askedMs > ASK_EVERY_MS && command(host, game)) askedMs = Date.now();
    if (random.chance(CHANCES.dropEach * players.length)) random.pick(players).drop();
    if (deps.isRestless && random.chance(CHANCES.look))
      random.pick(players).say({ type: 'game:ready' });
    const isRunning = present.some((player) => gamesBegun(player) >= game);
    if (course.late && (isRunning || !host) && random.chance(CHANCES.come)) {
      const { late } = course;
      course.late = undefined;
      await course.come(late);
    }
    if (isRunning && host && deps.isPresented && random.chance(CHANCES.cut)) cut(host);
    if (isRunning && leaving.size === 0 && random.chance(CHANCES.leave))
      leave(random.pick(present));
    await sleep(TICK_MS);
  }

  function leave(player: Player): void {
    leaving.add(player.user.id);
    // The answer may never come; nobody waits for it.
    void player.lobby.leave();
  }
}

/** @returns how often they have come back */
export function reconnectionsOf(players: readonly Player[]): number {
  return players.reduce((sum, { connections }) => sum + Math.max(0, connections.length - 1), 0);
}

const eventsOf = <T extends ServerEvent['type']>({ received }: Player, type: T) =>
  received.flatMap(({ event }) =>
    event.type === type ? [event as Extract<ServerEvent, { type: T }>] : [],
  );

const lastGameEvent = ({ received }: Player) =>
  received.findLast(({ event }) => event.type.startsWith('game:'))?.event;

const lastRound = (player: Player) => eventsOf(player, 'game:answer_result').at(-1)?.round ?? 0;

const gamesBegun = (player: Player) =>
  new Set(eventsOf(player, 'game:question').map(({ gameId }) => gameId)).size;

function isOver(player: Player, game: number): boolean {
  const ended = new Set(eventsOf(player, 'game:finished').map(({ gameId }) => gameId)).size;
  return ended >= game || player.lobby.status === 'ended';
}

/** The role goes on to another player when the host leaves. */
function hostOf(present: readonly Player[]): Player | undefined {
  const states = present.flatMap((player) => eventsOf(player, 'lobby:state').slice(-1));
  const latest = states.toSorted((a, b) => b.seq - a.seq)[0];
  return latest ? present.find(({ user }) => user.id === latest.lobby.hostId) : present[0];
}

/** What the host's page would offer now. @returns whether there was anything */
function command(host: Player, game: number): boolean {
  const state = eventsOf(host, 'lobby:state').at(-1);
  const last = lastGameEvent(host);
  const isNews = state && (!last || last.seq <= state.seq);
  if (isNews && state.lobby.status === 'waiting') {
    if (state.lobby.players.filter(({ connected }) => connected).length < 2) return false;
    host.lobby.start();
    return true;
  }
  if (game === 1 || last?.type !== 'game:finished' || isOver(host, game)) return false;
  host.lobby.again();
  return true;
}

/** The host ends the phase that is open, if it still is. */
function cut({ lobby, ...host }: Player): void {
  const last = lastGameEvent({ lobby, ...host });
  if (last?.type === 'game:question') lobby.next(last.round, 'round');
  if (last?.type === 'game:answer_result') lobby.next(last.round, 'intermission');
}

function describe(players: readonly Player[]): string {
  return players.map((player) => `${player.user.name}: ${lastGameEvent(player)?.type}`).join(', ');
}

type Asking = (client: ReturnType<typeof createClient>) => Promise<Lobby>;

/**
 * Asks until it is granted, as clients do.
 * @param what is asked for, in words
 * @throws ApiError when it is refused for good
 */
export async function untilGranted<T>(
  { signal, isMixed, onTrouble }: Pick<TableDeps, 'signal' | 'isMixed' | 'onTrouble'>,
  what: string,
  ask: () => Promise<T>,
): Promise<T> {
  const startedMs = Date.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, requestId, retryAfterMs = TICK_MS } = error;
      const isBrief = error.isPassing || (status === 429 && retryAfterMs <= PATIENCE_MS);
      if (status === 500) {
        if (!isMixed) onTrouble(`${what}: ${status} ${code} ${message} (${requestId})`);
      } else if (!isBrief) throw error;
      if (Date.now() - startedMs > GIVE_UP_MS) throw error;
      await sleep(Math.max(TICK_MS, retryAfterMs), undefined, { signal });
    }
  }
}
