// One run: games all the time through the service's front door, and the verdict on every lobby as soon
// as it is over, from what its clients have heard and what the service says that it has stored.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCall } from '../client/http.ts';
import { ApiError, createClient, type GameResult, type Vocabulary } from '../client/index.ts';
import { type Crowd, type CrowdOptions, gatherCrowd } from './accounts.ts';
import { checkLobby } from './checker/checker.ts';
import type { LobbyHistory, Violation } from './history.ts';
import { latenessOf } from './lateness.ts';
import { type Meanwhile, startMeanwhile } from './meanwhile.ts';
import type { Account, Player } from './player.ts';
import { createRandom, type Random } from './random.ts';
import { type Played, playLobby, type TableDeps, untilGranted } from './table.ts';

/** One after the other: for each lobby its members make requests, and limits count them. */
const GAMES_PER_LOBBY = 8;
/** Of a round, which some don't answer in. */
const THINKING = 0.7;
/** Fewer words than that may be too few for a game without repeating itself. */
const DECK_MIN = 40;
const INTERMISSIONS_MS = [0, 0, 1000, 2000];
const REFUSED_PAUSE_MS = 5000;

export interface ProveOptions extends Pick<CrowdOptions, 'url' | 'players' | 'file' | 'signal'> {
  /** Lobbies that play at a time. */
  games: number;
  /** How long games are begun. */
  durationMs: number;
  roundMs: number;
  /** Done to the service meanwhile, by the shell. */
  command?: string | undefined;
  everyMs: number;
  /** A round that ends later than that is a violation. */
  lateMaxMs: number;
}

export interface Progress {
  lobbies: number;
  games: number;
  rounds: number;
  events: number;
  reconnects: number;
  /** In any order. */
  latenessMs: number[];
  violations: Violation[];
  meanwhile: Pick<Meanwhile, 'runs' | 'failures'>;
  /** The lobbies of which a violation tells, whole. */
  histories: LobbyHistory[];
}

/**
 * @param progress what is known until now, for who looks on
 * @throws NoAccountsError; ApiError when the service can't be asked at all
 */
export async function prove(
  options: ProveOptions,
  progress: Progress = noProgress(),
): Promise<Progress> {
  const onTrouble = (text: string) => void progress.violations.push({ kind: 'trouble', text });
  // Where nobody answers, nothing can be tried.
  await createCall({ baseUrl: options.url })('GET', '/api/health/live');
  const crowd = await gatherCrowd({ ...options, onTrouble });
  try {
    await play(options, crowd, progress, onTrouble);
  } finally {
    await crowd.dismiss();
  }
  return progress;
}

export function noProgress(): Progress {
  return {
    ...{ lobbies: 0, games: 0, rounds: 0, events: 0, reconnects: 0, latenessMs: [] },
    ...{ violations: [], histories: [], meanwhile: { runs: 0, failures: [] } },
  };
}

async function play(
  options: ProveOptions,
  { accounts }: Crowd,
  progress: Progress,
  onTrouble: (text: string) => void,
): Promise<void> {
  const { url, signal } = options;
  const asking = { signal, isMixed: false, onTrouble };
  const [{ cookie }] = accounts as [Account];
  const vocabulary = await untilGranted(asking, 'the vocabulary', () =>
    createClient({ baseUrl: url, cookie }).getVocabulary(),
  );
  const endsAtMs = Date.now() + options.durationMs;
  const deps: TableDeps = {
    ...{
      url,
      ...asking,
      thinkMs: options.roundMs * THINKING,
      games: GAMES_PER_LOBBY,
      ...{ isPresented: true, isRestless: false },
    },
    isTimeLeft: () => Date.now() < endsAtMs && !signal.aborted,
    settings: (random) => drawSettings(random, vocabulary, options.roundMs),
    player: {},
    ...countersOf(progress),
  };
  const meanwhile = startMeanwhile(options.command, options.everyMs);
  progress.meanwhile = meanwhile;
  try {
    await Promise.all(
      tablesOf(accounts, options.games).map(async (seats) => {
        const random = createRandom(Math.random() * 2 ** 32);
        while (deps.isTimeLeft())
          await playOne(deps, shuffled(seats, random), random, options.lateMaxMs, progress);
      }),
    );
  } finally {
    await meanwhile.stop();
  }
}

/** Counts while games are going on. */
function countersOf(progress: Progress): Pick<TableDeps, 'onSeated' | 'onGameOver'> {
  const counted = new WeakMap<Player, number>();
  return {
    onSeated({ lobby }) {
      lobby.on('status', (status) => {
        if (status === 'reconnecting') progress.reconnects++;
      });
    },
    onGameOver(players, rounds) {
      progress.games++;
      progress.rounds += rounds;
      for (const player of players) {
        const received = player.received.slice(counted.get(player));
        progress.latenessMs.push(...latenessOf({ received }));
        counted.set(player, player.received.length);
      }
    },
  };
}

async function playOne(
  deps: TableDeps,
  seats: Account[],
  random: Random,
  lateMaxMs: number,
  progress: Progress,
): Promise<void> {
  try {
    const played = await playLobby(deps, seats, random);
    // Of a run that is being ended the last games have no end.
    if (!deps.signal.aborted) judge(await recall(deps, played, seats), played, lateMaxMs, progress);
  } catch (error) {
    if (deps.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    // What a limiter lets nobody do for a while is no broken promise.
    if (error.status !== 429)
      deps.onTrouble(`a lobby was refused: ${error.status} ${error.code}, ${error.message}`);
    await sleep(REFUSED_PAUSE_MS, undefined, { signal: deps.signal }).catch(() => {});
  }
}

function drawSettings(random: Random, { decks }: Vocabulary, roundMs: number) {
  const large = decks.filter(({ terms }) => terms >= DECK_MIN);
  const { sourceLanguage, targetLanguage, pos, difficulty } = random.pick(
    large.length > 0 ? large : decks,
  );
  return {
    ...{ sourceLanguage, targetLanguage, pos, difficulty, rounds: random.int(2, 4) },
    ...{ roundMs, intermissionMs: random.pick(INTERMISSIONS_MS) },
    scoring: random.pick(['accuracy', 'speed', 'streak'] as const),
  };
}

/** Everybody sits somewhere, at least two at a table. */
function tablesOf(accounts: readonly Account[], games: number): Account[][] {
  const count = Math.max(1, Math.min(games, Math.floor(accounts.length / 2)));
  return Array.from({ length: count }, (_, table) =>
    accounts.filter((_account, index) => index % count === table),
  );
}

/** Everybody is the host of some lobby. */
function shuffled(seats: readonly Account[], random: Random): Account[] {
  return seats
    .map((seat) => ({ seat, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ seat }) => seat);
}

/** Asks the service what it has stored: each result of one who has played, the lobby of one who stayed. */
async function recall(
  deps: TableDeps,
  { history }: Played,
  seats: readonly Account[],
): Promise<LobbyHistory> {
  const asks = (isMeant: (account: Account) => boolean) => {
    const { cookie } = seats.findLast(isMeant) ?? (seats[0] as Account);
    return createClient({ baseUrl: deps.url, cookie });
  };
  const events = history.clients.flatMap(({ received }) => received.map(({ event }) => event));
  const ends = events.flatMap((event) => (event.type === 'game:finished' ? [event] : []));
  const stored: GameResult[] = [];
  for (const { gameId, scores } of new Map(ends.map((end) => [end.gameId, end])).values()) {
    const client = asks(({ id }) => scores.some(({ userId }) => userId === id));
    const find = () =>
      client.getGame(gameId).catch((error: ApiError) => {
        if (error.code === 'GAME_NOT_FOUND') return null;
        throw error;
      });
    const game = await untilGranted(deps, 'a result', find);
    if (game) stored.push(game);
  }
  const stayed = asks(({ id }) => !history.leaving.includes(id));
  const { players } = await untilGranted(deps, 'the lobby', () => stayed.getLobby(history.code));
  return { ...history, stored, members: players.map(({ userId }) => userId) };
}

function judge(
  history: LobbyHistory,
  { players }: Played,
  lateMaxMs: number,
  progress: Progress,
): void {
  const verdict = checkLobby(history, { losses: [], isMixed: false });
  const late = history.clients.flatMap(latenessOf);
  const tooLate = late.filter((lateMs) => lateMs > lateMaxMs);
  const { lobbyId } = history;
  const violations = [
    ...verdict.violations,
    ...players.flatMap(({ user, failure }) =>
      failure()
        ? [{ kind: 'ended', lobbyId, text: `${user.name}'s lobby ended: ${failure()?.message}` }]
        : [],
    ),
    ...(tooLate.length > 0
      ? [{ kind: 'late', lobbyId, text: `what was due came ${Math.max(...tooLate)} ms late` }]
      : []),
  ];
  progress.lobbies++;
  progress.events += verdict.events;
  progress.violations.push(...violations);
  if (violations.length > 0) progress.histories.push(history);
}
