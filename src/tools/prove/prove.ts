// One run: it plays games and quizzes through the service's public interface, and judges each lobby when it
// has ended, by what its clients received and what the service stored.
import { type ExecException, exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCall } from '../../client/http.ts';
import { ApiError, type Vocabulary } from '../../client/index.ts';
import { inRandomOrder } from '../../vocabulary/random-order.ts';
import { type AccountOptions, type AccountSet, prepareAccounts } from './accounts.ts';
import type { LobbyHistory, Violation } from './history.ts';
import { type Learning, type StudyList, startLearning } from './learn.ts';
import { drawSettings, type LobbyDeps, playLobby } from './play-lobby.ts';
import { excessesOf, playRoom, type RoomReport } from './play-room.ts';
import { createRandom, type Random } from './random.ts';
import { type ClientContext, patientClient } from './retry.ts';
import type { Account, Player, PlayerOptions } from './robot.ts';
import { judge, latenessOf, readStored } from './verdict.ts';

/** The output of the command is not shown, so that it may be of any length. */
const runCommand = (text: string) => promisify(exec)(text, { maxBuffer: Number.POSITIVE_INFINITY });

/** Games per lobby. A lobby costs each member requests that the rate limiters count, so it is used often. */
const GAMES_PER_LOBBY = 8;
/** The longest thinking time as a share of a round. */
const THINKING_SHARE = 0.7;
const REFUSED_PAUSE_MS = 5000;

export interface ProveOptions
  extends Pick<AccountOptions, 'url' | 'players' | 'file' | 'signal'>,
    Pick<PlayerOptions, 'transport'> {
  /** The number of players of a room that plays one game, instead of many games in many lobbies. */
  room?: number | undefined;
  /** The number of lobbies that play at the same time. */
  games: number;
  /** The period in which new games begin, ms. */
  durationMs: number;
  roundMs: number;
  /** A shell command that is run again and again during the games, to disturb the service. */
  command?: string | undefined;
  /** The interval between two starts of the command, ms. */
  everyMs: number;
  /** An event that comes later than this after it was due is a violation, ms. */
  lateMaxMs: number;
}

export type RunProgress = ReturnType<typeof emptyProgress>;

/**
 * Plays games and quizzes against a service and checks everything that it says.
 * @param progress is updated during the run, so that a view can show it
 * @returns the same progress at the end
 * @throws NoAccountsError if there are too few accounts; ApiError if the service can't be reached at all
 */
export async function prove(options: ProveOptions, progress: RunProgress = emptyProgress()): Promise<RunProgress> {
  const onTrouble = (text: string) => void progress.violations.push({ kind: 'trouble', text });
  // This request fails at once if there is no service at the address.
  await createCall({ baseUrl: options.url })('GET', '/api/health/live').catch((error: ApiError) => {
    const { status, code, message } = error;
    throw new ApiError(status, code, `The service at ${options.url} does not answer: ${message}`);
  });
  const crowd = await prepareAccounts({ ...options, onTrouble });
  try {
    await play(options, crowd, progress, onTrouble);
  } finally {
    await crowd.signOut();
  }
  return progress;
}

export function emptyProgress() {
  return {
    lobbies: 0,
    games: 0,
    rounds: 0,
    events: 0,
    /** Finished single-player quizzes. */
    quizzes: 0,
    /** Finished attempts of assignments. Guests can't create any. */
    attempts: 0,
    reconnects: 0,
    /** How late each awaited event came, ms, in no order. */
    latenessMs: [] as number[],
    violations: [] as Violation[],
    /** The whole record of each lobby that has a violation. */
    histories: [] as LobbyHistory[],
    rooms: [] as RoomReport[],
    /** The runs of the command that disturbs the service, and how the last failed ones ended. */
    meanwhile: { runs: 0, failures: [] as string[] },
  };
}

/** The values that all lobbies of a run share. */
interface Run {
  options: ProveOptions;
  deps: Omit<LobbyDeps, 'settings'>;
  vocabulary: Vocabulary;
  learning: Learning;
  progress: RunProgress;
}

async function play(
  options: ProveOptions,
  { accounts }: AccountSet,
  progress: RunProgress,
  onTrouble: (text: string) => void,
): Promise<void> {
  const { url, signal } = options;
  const asking: ClientContext = { url, signal, onTrouble };
  const vocabulary = await patientClient(asking, accounts[0] as Account).getVocabulary();
  if (options.room) return proveRooms(options, accounts, vocabulary, progress, asking);
  const shared = { ...asking, thinkMs: options.roundMs * THINKING_SHARE };
  const learning = await startLearning(shared, vocabulary, accounts, progress);
  const endsAtMs = performance.now() + options.durationMs;
  const deps = {
    ...shared,
    games: GAMES_PER_LOBBY,
    player: { transport: options.transport },
    ...countersOf(progress),
    isTimeLeft: () => performance.now() < endsAtMs && !signal.aborted,
  };
  const run: Run = { options, deps, vocabulary, learning, progress };
  const groups = groupsOf(accounts, options.games);
  await disturbed(options, progress, () => Promise.all(groups.map((seats, group) => playLobbies(run, seats, group))));
  if (!signal.aborted) await learning.finish();
}

/** Plays one game in each room. */
async function proveRooms(
  options: ProveOptions,
  accounts: readonly Account[],
  vocabulary: Vocabulary,
  progress: RunProgress,
  asking: ClientContext,
): Promise<void> {
  const { transport, lateMaxMs, room = 2 } = options;
  const random = createRandom(Math.random() * 2 ** 32);
  const deps = { vocabulary, player: { transport }, ...asking, ...countersOf(progress) };
  const groups = groupsOf(accounts, Math.ceil(accounts.length / room));
  await disturbed(options, progress, () => Promise.all(groups.map(playOne)));

  async function playOne(seats: readonly Account[]): Promise<void> {
    const played = await playRoom(deps, seats, random.fork());
    const history = await readStored(deps, played, seats);
    const { events, violations } = judge(history, played.players, lateMaxMs);
    progress.rooms.push(played.report);
    progress.lobbies++;
    progress.events += events;
    const { lobbyId, code } = history;
    const excesses = excessesOf(played.report, lateMaxMs).map((wrong) => ({ ...wrong, lobbyId, code }));
    progress.violations.push(...violations, ...excesses);
    if (violations.length > 0) progress.histories.push(history);
  }
}

/** Callbacks that count reconnections, games, rounds and lateness while games run. */
function countersOf(progress: RunProgress): Pick<LobbyDeps, 'onConnected' | 'onGameOver'> {
  const counted = new WeakMap<Player, number>();
  return {
    onConnected({ lobby }) {
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

/** Plays one lobby after the other with the same users; during each, one of them does a quiz, or all do homework. */
async function playLobbies(run: Run, seats: readonly Account[], group: number): Promise<void> {
  const random = createRandom(Math.random() * 2 ** 32);
  let list: StudyList | null = null;
  while (run.deps.isTimeLeft()) {
    // A random order lets every user be the host of some lobby.
    const order = inRandomOrder(seats, (bound) => random.int(0, bound - 1));
    const [host, ...others] = [...order] as [Account, ...Account[]];
    const learner = random.pick(seats);
    const known = list;
    // However short a run of several groups is, it has a compact lobby and an ordinary one.
    const chosen = known ? {} : { compact: group % 2 === 1 };
    await Promise.all([
      pauseIfRefused(run, seats, () => playAndJudge(run, [host, ...others], random.fork(), known, chosen)),
      pauseIfRefused(run, [learner], async () => {
        if (known) return run.learning.learnAlone(learner, host, seats, random.fork());
        list = await run.learning.studyOne(learner, host, random.fork());
      }),
      // Each group does homework at least once, however short the run is.
      pauseIfRefused(run, seats, async () => {
        if (!known) await run.learning.doHomework(host, seats, random.fork());
      }),
    ]);
  }
}

/** Runs an action and pauses after a refusal. A rate limit (429) is no violation. */
async function pauseIfRefused(
  { deps, learning }: Run,
  accounts: readonly Account[],
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (deps.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    learning.forget(accounts);
    if (error.status !== 429) deps.onTrouble(`a request was refused: ${error.status} ${error.code}, ${error.message}`);
    await sleep(REFUSED_PAUSE_MS, undefined, { signal: deps.signal }).catch(() => {});
  }
}

async function playAndJudge(
  { options, deps, vocabulary, learning, progress }: Run,
  seats: readonly Account[],
  random: Random,
  list: StudyList | null,
  chosen: { compact?: boolean },
): Promise<void> {
  const settings = (drawn: Random) => ({ ...drawSettings(drawn, vocabulary, options.roundMs, list), ...chosen });
  const played = await playLobby({ ...deps, settings, words: list?.words }, seats, random);
  // An aborted run leaves its last games unfinished, so they are not judged.
  if (deps.signal.aborted) return;
  const history = await readStored(deps, played, seats);
  const { events, violations, judged } = judge(history, played.players, options.lateMaxMs);
  learning.noteGame(judged);
  progress.lobbies++;
  progress.events += events;
  progress.violations.push(...violations);
  if (violations.length > 0) progress.histories.push(history);
}

/** Splits the accounts into groups of at least two, one for each lobby that plays at the same time. */
function groupsOf(accounts: readonly Account[], games: number): Account[][] {
  const count = Math.max(1, Math.min(games, Math.floor(accounts.length / 2)));
  return Array.from({ length: count }, (_, group) => accounts.filter((_account, index) => index % count === group));
}

/** The number of failures that are kept; older ones are dropped. */
const FAILURES_MAX = 10;

/** Does something while a shell command runs again and again; a start that comes while it still runs is skipped. */
async function disturbed(
  { command, everyMs }: ProveOptions,
  { meanwhile }: RunProgress,
  act: () => Promise<unknown>,
): Promise<void> {
  let running: Promise<void> | undefined;
  const start = (text: string) => {
    if (running) return;
    meanwhile.runs++;
    running = runCommand(text).then(
      () => {
        running = undefined;
      },
      ({ code, signal, stderr }: ExecException) => {
        running = undefined;
        meanwhile.failures.push(`${signal ?? `exit code ${code}`}: ${stderr?.slice(-500).trim()}`);
        if (meanwhile.failures.length > FAILURES_MAX) meanwhile.failures.shift();
      },
    );
  };
  const timer = command === undefined ? undefined : setInterval(start, everyMs, command);
  try {
    await act();
  } finally {
    clearInterval(timer);
    await running;
  }
}
