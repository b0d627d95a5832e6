// One run: it plays games and quizzes through the service's public interface, and judges each lobby when it
// has ended, by what its clients received and what the service stored.
import { type ExecException, exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCall } from '../../client/http.ts';
import { ApiError, type Vocabulary } from '../../client/index.ts';
import { inRandomOrder } from '../../vocabulary/random-order.ts';
import { type AccountOptions, prepareAccounts } from './accounts.ts';
import { checkLobby } from './checker/checker.ts';
import { checkHomework, checkQuiz } from './checker/quiz.ts';
import type { LobbyHistory, PlayedLobby, StoredGame, Violation } from './history.ts';
import { countAnswers, createStudyList, type LearnDeps, playHomework, playQuiz, type StudyList } from './learn.ts';
import { BYTES_PER_ROUND_MAX, measureRoom, type RoomReport, roomSettings } from './measure-room.ts';
import { type LobbyDeps, playLobby } from './play-lobby.ts';
import { createRandom, type Random } from './random.ts';
import { type ClientContext, ignore, patientClient } from './retry.ts';
import type { Account, Transport } from './robot.ts';

/** Games per lobby. A lobby costs each member requests that the rate limiters count, so it is used often. */
const GAMES_PER_LOBBY = 8;
/** The longest thinking time as a share of a round. */
const THINKING_SHARE = 0.7;
const REFUSED_PAUSE_MS = 5000;
const QUIZ_QUESTIONS = 4;
/** The greatest page of a lobby's players. [contract 19] */
const PLAYERS_AT_ONCE = 200;
/** The smallest deck, in terms, that is sure to have enough questions for a game. */
const DECK_MIN = 40;
/** The share of players on streams, and of players whose WebSockets do not get through from some moment on. */
const STREAMS_SHARE = 0.1;

export interface ProveOptions extends Pick<AccountOptions, 'url' | 'players' | 'file' | 'signal'> {
  /** The number of players of a room that plays one game, instead of many games in many lobbies. */
  room?: number | undefined;
  /** By what all players connect; `auto` also makes some change over to streams. */
  transport: Transport;
  /** The number of lobbies that play at the same time. */
  games: number;
  /** The period in which new games begin, ms. */
  durationMs: number;
  roundMs: number;
  /** A shell command that is run again and again during the games, to disturb the service. */
  command?: string | undefined;
  /** The pause before each run of the command, ms. */
  everyMs: number;
  /** An event that comes later than this after it was due is a violation, ms. */
  lateMaxMs: number;
}

export type RunProgress = ReturnType<typeof emptyProgress>;

export function emptyProgress() {
  return {
    lobbies: 0,
    games: 0,
    rounds: 0,
    /** Finished single-player quizzes. */
    quizzes: 0,
    /** Finished attempts of assignments. Guests can't create any. */
    attempts: 0,
    reconnects: 0,
    /** How late each awaited event of the judged lobbies came, ms, in no order. */
    latenessMs: [] as number[],
    violations: [] as Violation[],
    /** The whole record of each lobby that has a violation. */
    histories: [] as LobbyHistory[],
    rooms: [] as RoomReport[],
    /** The runs of the command that disturbs the service, and how the last failed one ended. */
    meanwhile: { runs: 0, failure: null as string | null },
  };
}

/**
 * Plays games and quizzes against a service and checks everything that it says.
 * @param progress is updated during the run, so that a view can show it
 * @returns the same progress at the end
 * @throws NoAccountsError if there are too few accounts; ApiError if the service can't be reached at all
 */
export async function prove(options: ProveOptions, progress: RunProgress = emptyProgress()): Promise<RunProgress> {
  const { url, signal } = options;
  const deps = { url, signal, onTrouble: (text: string) => void progress.violations.push({ kind: 'trouble', text }) };
  // This request fails at once if there is no service at the address.
  await createCall({ baseUrl: url })('GET', '/api/health/live').catch(({ status, code, message }: ApiError) => {
    throw new ApiError(status, code, `The service at ${url} does not answer: ${message}`);
  });
  const { accounts, signOut } = await prepareAccounts({ ...options, ...deps });
  try {
    const vocabulary = await patientClient(deps, accounts[0] as Account).getVocabulary();
    const endsAtMs = performance.now() + options.durationMs;
    const lobbyDeps = {
      ...deps,
      thinkMs: options.roundMs * THINKING_SHARE,
      games: GAMES_PER_LOBBY,
      player: { transport: options.transport },
      isTimeLeft: () => performance.now() < endsAtMs && !signal.aborted,
      onGameOver(rounds: number) {
        progress.games++;
        progress.rounds += rounds;
      },
    };
    const run = { options, deps: lobbyDeps, vocabulary, accounts, progress };
    await disturbed(run, () => (options.room ? proveRooms(run, options.room) : proveGames(run)));
  } finally {
    await signOut();
  }
  return progress;
}

/** The values that all lobbies of a run share. */
interface Run {
  options: ProveOptions;
  deps: Omit<LobbyDeps, 'settings'>;
  vocabulary: Vocabulary;
  accounts: readonly Account[];
  progress: RunProgress;
}

/** Splits the accounts into groups of at least two, one for each lobby that plays at the same time. */
function groupsOf(accounts: readonly Account[], games: number): Account[][] {
  const count = Math.max(1, Math.min(games, Math.floor(accounts.length / 2)));
  return Array.from({ length: count }, (_, group) => accounts.filter((_account, index) => index % count === group));
}

/** Plays one game in each room. */
async function proveRooms(run: Run, size: number): Promise<void> {
  const { deps, vocabulary, accounts, progress } = run;
  const groups = groupsOf(accounts, Math.ceil(accounts.length / size));
  const random = createRandom(Math.random() * 2 ** 32);
  const rooms = groups.map(async (seats) => {
    const room = { ...deps, ...roomSettings(pickDeck(random, vocabulary)) };
    const judged = await playAndJudge(run, room, seats, random.fork());
    if (!judged) return;
    const report = measureRoom(judged.history);
    progress.rooms.push(report);
    const { code } = judged.history;
    const { bytesPerRound, awayMs } = report;
    const size = `a player received ${bytesPerRound} bytes a round`;
    if (bytesPerRound > BYTES_PER_ROUND_MAX) progress.violations.push({ kind: 'size', code, text: size });
    const late = `a player was back only after ${awayMs} ms`;
    if (awayMs > run.options.lateMaxMs) progress.violations.push({ kind: 'late', code, text: late });
  });
  await Promise.all(rooms);
}

/** Plays many lobbies at once, one after the other with the same users, who learn meanwhile. */
async function proveGames(run: Run): Promise<void> {
  const { options, deps, vocabulary, accounts, progress } = run;
  const counts = await countAnswers(deps, accounts);
  const list = await createStudyList(deps, accounts[0] as Account);
  await Promise.all(groupsOf(accounts, options.games).map(playLobbies));
  if (deps.signal.aborted) return;
  progress.violations.push(...(await counts.compare()));
  await list.remove();

  async function playLobbies(seats: readonly Account[], group: number): Promise<void> {
    const random = createRandom(Math.random() * 2 ** 32);
    const learning = { ...deps, random };
    for (let turn = group; deps.isTimeLeft(); turn++) {
      // A random order lets every user be the host of some lobby.
      const order = [...inRandomOrder(seats, (bound) => random.int(0, bound - 1))];
      // However short a run of several groups is, it has a compact lobby and an ordinary one, and a quiz on the list.
      const isOdd = turn % 2 === 1;
      const [host] = order as [Account];
      const settings = { ...drawSettings(run, list, random), compact: isOdd };
      const streams = options.transport === 'auto' ? STREAMS_SHARE : 0;
      const lobby = { ...deps, settings, words: list.words, streams };
      await Promise.all([
        pauseIfRefused(seats, async () => {
          const judged = await playAndJudge(run, lobby, order, random.fork());
          for (const [userId, answers] of judged?.answers ?? []) counts.add(userId, answers);
        }),
        pauseIfRefused(seats, () => doQuiz(learning, random.pick(seats), host, !isOdd)),
        pauseIfRefused(seats, () => doHomework(learning, host, seats)),
      ]);
    }
  }

  /** Runs an action and pauses after a refusal. A rate limit (429) is no violation. */
  async function pauseIfRefused(seats: readonly Account[], act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (deps.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // Nobody knows which of their answers were judged.
      for (const { id } of seats) counts.add(id, Number.NaN);
      const { status, code, message } = error;
      if (status !== 429) deps.onTrouble(`a request was refused: ${status} ${code}, ${message}`);
      await sleep(REFUSED_PAUSE_MS, undefined, { signal: deps.signal }).catch(() => {});
    }
  }

  async function doQuiz(learning: LearnDeps, learner: Account, stranger: Account, isOfList: boolean): Promise<void> {
    const ofList = { listId: list.listId, words: list.words };
    const source = isOfList ? ofList : { ...pickDeck(learning.random, vocabulary), words: null };
    const quiz = await playQuiz(learning, learner, stranger, { ...source, questionCount: QUIZ_QUESTIONS });
    counts.add(learner.id, quiz.answers.length);
    progress.quizzes++;
    progress.violations.push(...checkQuiz(quiz));
  }

  async function doHomework(learning: LearnDeps, owner: Account, people: readonly Account[]): Promise<void> {
    const request = { ...pickDeck(learning.random, vocabulary), questionCount: QUIZ_QUESTIONS };
    // A guest can't give homework.
    const homework = await playHomework(learning, owner, people, request).catch(ignore('ACCOUNT_NEEDED'));
    if (!homework) return;
    for (const { userId, answers } of homework.attempts) counts.add(userId, answers.length);
    progress.attempts += homework.attempts.length;
    progress.violations.push(...checkHomework(homework));
  }
}

/** @returns the judged lobby with the number of each user's answers, or null if the run was aborted meanwhile */
async function playAndJudge(run: Run, lobby: LobbyDeps, seats: readonly Account[], random: Random) {
  const { deps, progress } = run;
  const played = await playLobby(lobby, seats, random);
  // An aborted run leaves its last games unfinished, so they are not judged.
  if (deps.signal.aborted) return null;
  const history = await readStored(deps, played, seats);
  const verdict = checkLobby(history, { lateMaxMs: run.options.lateMaxMs });
  progress.lobbies++;
  progress.reconnects += verdict.reconnects;
  for (const lateMs of verdict.latenessMs) progress.latenessMs.push(lateMs);
  progress.violations.push(...verdict.violations);
  if (verdict.violations.length > 0) progress.histories.push(history);
  return { history, answers: verdict.judged };
}

/** Reads what the service has stored of a lobby: each result as one of its players, the lobby as one of its members. */
export async function readStored(deps: ClientContext, played: PlayedLobby, seats: readonly Account[]) {
  const { leaving, kicked, joins, settings, clients, code } = played;
  const find = (isMeant: (id: string) => boolean) => seats.findLast(({ id }) => isMeant(id));
  const events = clients.flatMap(({ received }) => received.map(({ event }) => event));
  const states = events.filter((event) => event.type === 'lobby:state').toSorted((a, b) => a.seq - b.seq);
  const ends = events.filter((event) => event.type === 'game:finished');
  const stored: StoredGame[] = [];
  for (const { gameId, scores, seq } of new Map(ends.map((end) => [end.gameId, end])).values()) {
    const hasPlayed = (id: string) => scores.some(({ userId }) => userId === id);
    // A removed player may read the result too. [contract 11]
    const player = find((id) => hasPlayed(id) && kicked.includes(id)) ?? find(hasPlayed);
    // Only who was host at its end can read the whole game of a compact lobby. [contract 19]
    const hostId = states.findLast((state) => state.seq < seq)?.lobby.hostId;
    const reader = settings.compact ? find((id) => id === hostId) : player;
    const found = reader && (await patientClient(deps, reader).getGame(gameId).catch(ignore('GAME_NOT_FOUND')));
    if (found) stored.push(found);
  }
  const hasJoined = (id: string) => joins.some(({ userId, refusal }) => userId === id && refusal === null);
  const stayed = find((id) => hasJoined(id) && !leaving.includes(id) && !kicked.includes(id));
  const client = patientClient(deps, stayed ?? (seats[0] as Account));
  const members: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { players, next } = await client.listPlayers(code, { limit: PLAYERS_AT_ONCE, after });
    members.push(...players.map(({ userId }) => userId));
    after = next;
  }
  return { ...played, stored, members };
}

/** @returns a random deck that is large enough for a game, if there is one */
function pickDeck(random: Random, { decks }: Vocabulary) {
  const large = decks.filter(({ terms }) => terms >= DECK_MIN);
  const { sourceLanguage, targetLanguage, pos, difficulty } = random.pick(large.length > 0 ? large : decks);
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

function drawSettings({ options, vocabulary }: Run, list: StudyList, random: Random) {
  const words = random.chance(0.3) ? { listId: list.listId } : pickDeck(random, vocabulary);
  return {
    ...words,
    roundMs: options.roundMs,
    rounds: random.int(2, 4),
    intermissionMs: random.pick([0, 0, 1000, 2000]),
    scoring: random.pick(['accuracy', 'speed', 'streak'] as const),
    hostPlays: !random.chance(0.3),
    lateJoin: random.chance(0.5),
    waitFor: random.pick(['all', 'all', 'present'] as const),
    names: random.pick(['any', 'unique', 'given'] as const),
  };
}

/** Does something while a shell command runs again and again, with a pause before each run. */
async function disturbed({ options: { command, everyMs }, progress: { meanwhile } }: Run, act: () => Promise<void>) {
  const over = new AbortController();
  async function disturb(text: string): Promise<void> {
    while (await sleep(everyMs, true, { signal: over.signal }).catch(() => false)) {
      meanwhile.runs++;
      // The output of the command is not shown, so that it may be of any length.
      await promisify(exec)(text, { maxBuffer: Number.POSITIVE_INFINITY }).catch((error: ExecException) => {
        const { code, signal, stderr } = error;
        meanwhile.failure = `${signal ?? `exit code ${code}`}: ${stderr?.slice(-500).trim()}`;
      });
    }
  }
  const disturbing = command === undefined ? undefined : disturb(command);
  try {
    await act();
  } finally {
    over.abort();
    await disturbing;
  }
}
