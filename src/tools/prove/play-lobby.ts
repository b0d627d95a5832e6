// Plays one lobby from its creation to its end. Its clients wait, lose their connections, join late, leave
// and are removed at random, and retry until they get through.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient, type Lobby } from '../../client/index.ts';
import type { Attempt, LobbyHistory, Span } from './history.ts';
import { eventsOf } from './host.ts';
import { type GameRun, type LobbyDeps, mayPlayOn, playUntilOver } from './play-games.ts';
import { type Account, type Player, seatPlayer } from './player.ts';
import type { Random } from './random.ts';
import { retryUntilGranted } from './retry.ts';

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
    clients: players,
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

  async function ask(what: string, { cookie }: Account, request: Request): Promise<Lobby> {
    const fromMs = Date.now();
    const client = createClient({ baseUrl: deps.url, cookie });
    const lobby = await retryUntilGranted(deps, what, () => request(client));
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

type Request = (client: ReturnType<typeof createClient>) => Promise<Lobby>;

/** Connects a user's devices. @returns a player for each of them */
function connectDevices(deps: LobbyDeps, account: Account, code: string, random: Random): Player[] {
  const isSilent = random.chance(0.15);
  const think = () => (isSilent ? null : random.int(0, Math.round(deps.thinkMs)));
  const options = { ...deps.player, random: random.next, asksTwice: random.chance(0.7) };
  const devices = [seatPlayer(deps.url, account, code, think, options)];
  if (random.chance(DEVICE_CHANCE)) devices.push(seatPlayer(deps.url, account, code, () => null, options));
  return devices;
}

const isRemoved = ({ asides }: Player) => asides.some(({ message }) => message.type === 'lobby:kicked');

const roundsOf = ({ players }: GameRun) =>
  Math.max(0, ...players.map((player) => eventsOf(player, 'game:answer_result').at(-1)?.round ?? 0));
