// One run: games all the time through the service's front door, and the verdict on every lobby as soon
// as it is over, from what its clients have heard and what the service says that it has stored.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCall } from '../client/http.ts';
import { ApiError, createClient, type Vocabulary } from '../client/index.ts';
import { inRandomOrder } from '../vocabulary/random-order.ts';
import { type Crowd, type CrowdOptions, gatherCrowd } from './accounts.ts';
import { type Asking, untilGranted } from './asking.ts';
import { checkQuiz } from './checker/quiz.ts';
import { type Covered, cover } from './covered.ts';
import { drawSettings, pickDeck } from './draw-settings.ts';
import { each } from './each.ts';
import type { LobbyHistory, QuizHistory, Violation } from './history.ts';
import { latenessOf } from './lateness.ts';
import { type Meanwhile, startMeanwhile } from './meanwhile.ts';
import { type Memory, startMemory } from './memory.ts';
import type { Account, Player } from './player.ts';
import { playQuiz } from './quiz.ts';
import { createRandom, type Random } from './random.ts';
import { createOwnList, type OwnList, study } from './study.ts';
import { playLobby, type TableDeps } from './table.ts';
import { judge, recall } from './verdict.ts';

/** One after the other: for each lobby its members make requests, and limits count them. */
const GAMES_PER_LOBBY = 8;
/** Of a round, which some don't answer in. */
const THINKING = 0.7;
const QUIZ_QUESTIONS = 4;
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
  /** For one player each. */
  quizzes: number;
  reconnects: number;
  /** Lobbies, by what happened in them. */
  covered: Covered;
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
    ...{ lobbies: 0, games: 0, rounds: 0, events: 0, quizzes: 0, reconnects: 0 },
    ...{
      covered: {},
      latenessMs: [],
      violations: [],
      histories: [],
      meanwhile: { runs: 0, failures: [] },
    },
  };
}

/** What all tables of a run have in common. */
interface Run {
  options: ProveOptions;
  deps: Omit<TableDeps, 'settings'>;
  vocabulary: Vocabulary;
  memory: Memory;
  lists: OwnList[];
  progress: Progress;
}

async function play(
  options: ProveOptions,
  { accounts }: Crowd,
  progress: Progress,
  onTrouble: (text: string) => void,
): Promise<void> {
  const { url, signal } = options;
  const asking: Asking = { signal, onTrouble };
  const [{ cookie }] = accounts as [Account];
  const vocabulary = await untilGranted(asking, 'the vocabulary', () =>
    createClient({ baseUrl: url, cookie }).getVocabulary(),
  );
  const shared = { url, ...asking, thinkMs: options.roundMs * THINKING };
  const memory = await startMemory(shared, accounts);
  const endsAtMs = Date.now() + options.durationMs;
  const deps = {
    ...{ ...shared, games: GAMES_PER_LOBBY, player: {}, ...countersOf(progress) },
    isTimeLeft: () => Date.now() < endsAtMs && !signal.aborted,
  };
  const run: Run = { options, deps, vocabulary, memory, lists: [], progress };
  const meanwhile = startMeanwhile(options.command, options.everyMs);
  progress.meanwhile = meanwhile;
  try {
    await Promise.all(tablesOf(accounts, options.games).map((seats) => keepTable(run, seats)));
  } finally {
    await meanwhile.stop();
  }
  if (signal.aborted) return;
  progress.violations.push(...(await memory.check(shared)));
  await each(run.lists, (list) => list.remove());
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

/** One lobby after the other, and beside each what somebody does alone. */
async function keepTable(run: Run, seats: readonly Account[]): Promise<void> {
  const random = createRandom(Math.random() * 2 ** 32);
  let list: OwnList | null = null;
  while (run.deps.isTimeLeft()) {
    // Everybody is the host of some lobby.
    const order = inRandomOrder(seats, (bound) => random.int(0, bound - 1));
    const [host, ...others] = [...order] as [Account, ...Account[]];
    const learner = random.pick(seats);
    const known = list;
    await Promise.all([
      unlessRefused(run, seats, () => playOne(run, [host, ...others], random.fork(), known)),
      unlessRefused(run, [learner], async () => {
        if (known) return quizOne(run, learner, host, random.fork());
        list = await studyOne(run, learner, host, random.fork());
      }),
    ]);
  }
}

/** What a limiter lets nobody do for a while is no broken promise. */
async function unlessRefused(
  { deps, memory }: Run,
  accounts: readonly Account[],
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (deps.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    memory.lose(accounts);
    if (error.status !== 429)
      deps.onTrouble(`something was refused: ${error.status} ${error.code}, ${error.message}`);
    await sleep(REFUSED_PAUSE_MS, undefined, { signal: deps.signal }).catch(() => {});
  }
}

async function playOne(
  { options, deps, vocabulary, memory, progress }: Run,
  seats: readonly Account[],
  random: Random,
  list: OwnList | null,
): Promise<void> {
  const settings = (luck: Random) => drawSettings(luck, vocabulary, options.roundMs, list);
  const played = await playLobby({ ...deps, settings, words: list?.words }, seats, random);
  // Of a run that is being ended the last games have no end.
  if (deps.signal.aborted) return;
  const history = await recall({ ...deps, settings }, played, seats);
  const { events, violations, judged } = judge(history, played.players, options.lateMaxMs);
  memory.noteGame(judged);
  cover(progress.covered, history);
  progress.lobbies++;
  progress.events += events;
  progress.violations.push(...violations);
  if (violations.length > 0) progress.histories.push(history);
}

async function quizOne(run: Run, learner: Account, stranger: Account, random: Random) {
  const { deps, vocabulary } = run;
  const request = { ...pickDeck(random, vocabulary), questionCount: QUIZ_QUESTIONS };
  const quiz = await playQuiz(deps, learner, { request, words: null, stranger }, random);
  noteQuizzes(run, [quiz], checkQuiz(quiz));
}

/** @returns the list that was learned */
async function studyOne(run: Run, learner: Account, stranger: Account, random: Random) {
  const list = await createOwnList(run.deps, learner);
  run.lists.push(list);
  const { quizzes, violations } = await study(run.deps, learner, stranger, list, random);
  noteQuizzes(run, quizzes, violations);
  return list;
}

function noteQuizzes(
  { memory, progress }: Run,
  quizzes: readonly QuizHistory[],
  violations: readonly Violation[],
): void {
  for (const quiz of quizzes) memory.noteQuiz(quiz);
  progress.quizzes += quizzes.length;
  progress.violations.push(...violations);
}

/** Everybody sits somewhere, at least two at a table. */
function tablesOf(accounts: readonly Account[], games: number): Account[][] {
  const count = Math.max(1, Math.min(games, Math.floor(accounts.length / 2)));
  return Array.from({ length: count }, (_, table) =>
    accounts.filter((_account, index) => index % count === table),
  );
}
