// One lobby from its beginning to its end, played by clients that think, lose their connections, come
// late, leave and are removed, as chance has it, and try again until they get through.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type CreateLobbyRequest, createClient, type Lobby } from '../client/index.ts';
import { type Asking, untilGranted } from './asking.ts';
import { type Course, mayGoOn, untilOver } from './course.ts';
import type { Attempt, LobbyHistory, Span, Word } from './history.ts';
import { eventsOf } from './host.ts';
import { type Account, type Player, type PlayerOptions, seatPlayer } from './player.ts';
import type { Random } from './random.ts';

/** How likely it is that somebody is there on a second device. */
const DEVICE_CHANCE = 0.2;
const LATE_CHANCE = 0.3;
/** So often somebody knocks at a locked door: the limiter counts it. */
const KNOCKS_MAX = 2;

export interface TableDeps extends Asking {
  url: string;
  /** How long players think at most. */
  thinkMs: number;
  /** How many games one after the other. */
  games: number;
  settings(random: Random): NonNullable<CreateLobbyRequest['settings']> & LobbyHistory['settings'];
  /** What is asked where the settings name a list. */
  words?: readonly Word[] | undefined;
  player: Pick<PlayerOptions, 'handshakeTimeoutMs' | 'retryMs'>;
  /** No further game is begun. */
  isTimeLeft(): boolean;
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
  const settings = deps.settings(random);
  const capacity = Math.max(2, accounts.length);
  const door = createDoor(deps);
  const [host, ...others] = accounts as [Account, ...Account[]];
  const { lobbyId, code } = await door.ask('a lobby', host, (client) =>
    client.createLobby({ capacity, settings }),
  );
  door.joined.push(host.id);
  const late = others.length > 1 && random.chance(LATE_CHANCE) ? others.at(-1) : undefined;
  // A late one is a member from the start, or not even that.
  const stranger = settings.lateJoin ? late : undefined;
  const invited = others.filter((account) => account !== stranger);
  await Promise.all(invited.map((account) => door.join(account, code)));

  const players: Player[] = [];
  const seat = (account: Account) => {
    const devices = seatUser(deps, account, code, random.fork());
    players.push(...devices);
    for (const player of devices) deps.onSeated?.(player);
  };
  let knocks = 0;
  const come = async (account: Account): Promise<boolean> => {
    if (account === stranger) {
      const refusal = await door.knock(account, code);
      if (refusal === 'LOBBY_LOCKED') return ++knocks >= KNOCKS_MAX;
      // The game is over meanwhile.
      if (refusal !== null) return true;
    }
    seat(account);
    return true;
  };
  for (const account of accounts) if (account !== late) seat(account);

  const course: Course = {
    ...{ deps, players, random, late, come },
    ...{ leaving: new Set(), kicked: new Set() },
  };
  try {
    for (let game = 1; game <= deps.games && (game === 1 || mayGoOn(course)); game++) {
      await untilOver(course, game);
      if (!deps.signal.aborted) deps.onGameOver?.(players, roundsOf(course));
    }
    for (const player of players) if (isRemoved(player)) await door.knock(player.user, code);
    await sleep(random.int(0, 500));
  } finally {
    for (const player of players) player.stop();
  }
  const { joined, attempts, asked } = door;
  const history = {
    ...{ lobbyId, code, settings, clients: players, joined, attempts },
    ...{ leaving: [...course.leaving], kicked: [...course.kicked] },
    words: 'listId' in settings && settings.listId !== undefined ? (deps.words ?? null) : null,
  };
  return { history, players, asked, untilMs: Date.now() };
}

/** How members come in, and what becomes of those who are not to. */
function createDoor(deps: TableDeps) {
  const asked: Span[] = [];
  const joined: string[] = [];
  const attempts: Attempt[] = [];

  async function ask(what: string, { cookie }: Account, request: Request): Promise<Lobby> {
    const fromMs = Date.now();
    const client = createClient({ baseUrl: deps.url, cookie });
    const lobby = await untilGranted(deps, what, () => request(client));
    asked.push({ what, fromMs, toMs: Date.now() });
    return lobby;
  }

  async function join(account: Account, code: string): Promise<void> {
    await ask('a join', account, (client) => client.joinLobby(code));
    joined.push(account.id);
  }

  /** @returns the refusal's code, or null */
  async function knock(account: Account, code: string): Promise<string | null> {
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

  return { asked, joined, attempts, ask, join, knock };
}

type Request = (client: ReturnType<typeof createClient>) => Promise<Lobby>;

/** @returns a player for each of the user's devices */
function seatUser(deps: TableDeps, account: Account, code: string, luck: Random): Player[] {
  const isSilent = luck.chance(0.15);
  const think = () => (isSilent ? null : luck.int(0, Math.round(deps.thinkMs)));
  const options = { ...deps.player, random: luck.next, asksTwice: luck.chance(0.7) };
  const devices = [seatPlayer(deps.url, account, code, think, options)];
  if (luck.chance(DEVICE_CHANCE))
    devices.push(seatPlayer(deps.url, account, code, () => null, options));
  return devices;
}

const isRemoved = ({ asides }: Player) =>
  asides.some(({ message }) => message.type === 'lobby:kicked');

const roundsOf = ({ players }: Course) =>
  Math.max(
    0,
    ...players.map((player) => eventsOf(player, 'game:answer_result').at(-1)?.round ?? 0),
  );
