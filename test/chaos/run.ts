// One run: games are played all the time, storms of faults alternate with calms, and every lobby is judged as
// soon as it has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { RoundRecord, roundOfRecord, userIdsByNumber } from '../../src/match/round-record.ts';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import { checkHomework } from '../../src/tools/prove/checker/quiz.ts';
import type { LobbyHistory, PlayedLobby, Span, StoredGame, Violation } from '../../src/tools/prove/history.ts';
import { playHomework } from '../../src/tools/prove/learn.ts';
import { type LobbyDeps, playLobby } from '../../src/tools/prove/play-lobby.ts';
import { createRandom, type Random } from '../../src/tools/prove/random.ts';
import { eventually } from '../support/eventually.ts';
import { canOpenSmallDisk } from '../support/small-disk.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { backendsTooMany, checkAftermath } from './aftermath.ts';
import { ACTS } from './faults.ts';
import { drawStorm, type FaultKind, type PlannedFault, rollingUpdate, type Storm, type Topology } from './schedule.ts';
import { openStage, type Stage } from './stage.ts';
import { createTotals, type Totals } from './totals.ts';
import { checkWaits, type Wait, waitsOf } from './waits.ts';
import { startWatch } from './watch.ts';

/** The longest wait for any event in undisturbed time, ms. */
const LIMIT_MS = 3000;
/** An assignment's questions, and the longest pause before an answer, ms. */
const HOMEWORK = { questionCount: 5, thinkMs: 400 };
/** The length of a calm between two storms, in which everything must recover, ms. */
const CALM_MS = 5000;
/** The faults after which Redis may lack acknowledged writes, as the runbook says. */
const LOSING: readonly string[] = [...(['lose-writes', 'lose-master'] satisfies FaultKind[]), 'failover'];
const lossesOf = (harms: readonly Span[]) => harms.filter(({ what }) => LOSING.includes(what));
/** A worker's log message about a game that was lost with the last writes. */
const LOST_GAME = 'a game is lost';
const PLAYERS_MAX = 4;
/** The lengths of an intermission that lobbies draw from, ms. */
const INTERMISSIONS_MS = [0, 0, 400, 1200];
/** Clients give up handshakes and reconnect quickly, so that only the service's delays are measured, ms. */
const PLAYER = { handshakeTimeoutMs: 3000, retryMs: 50 };
/** The share of players on streams, and of players who change over to streams. */
const STREAMS_SHARE = 0.2;

/** What all robots of a run share. */
type Run = Pick<LobbyDeps, 'url' | 'isTimeLeft' | 'signal' | 'onTrouble'>;

export interface RunOptions {
  seed: number;
  durationMs: number;
  /** The default is drawn from the seed. */
  topology?: Topology;
  /** The folder with the release to update from. */
  previous?: string;
  /** The number of lobbies that play at the same time. */
  tables?: number;
  signal: AbortSignal;
  /** Gets the outcome that is updated during the run, so that a view can show it. */
  onStart?(outcome: Outcome): void;
}

export interface Outcome extends Totals {
  topology: Topology;
  harms: Span[];
}

export async function run(options: RunOptions): Promise<Outcome> {
  const random = createRandom(options.seed);
  const topology = random.pick(['single', 'single', 'sentinel', 'cluster'] as const);
  const circumstances = {
    topology: options.topology ?? topology,
    replicas: random.int(2, 3),
    workers: 2,
    hasRelease: options.previous !== undefined,
    hasDisk: canOpenSmallDisk(),
  };
  const outcome: Outcome = { topology: circumstances.topology, ...createTotals(), harms: [] };
  const trouble = (text: string) => void outcome.violations.push({ kind: 'trouble', text });
  const hearProcess = (text: string) => {
    if (text.includes(LOST_GAME) && lossesOf(watch.harms).length > 0) outcome.cost.games++;
    else trouble(text);
  };
  let stage: Stage | undefined;
  const watch = startWatch(() => stage);
  outcome.harms = watch.harms;
  options.onStart?.(outcome);
  const roundMs = random.int(1000, 2000);
  try {
    stage = await openStage({
      circumstances,
      roundMs,
      onTrouble: hearProcess,
      onStarved: watch.noteStarved,
      onFailover: watch.noteFailover,
      ...(options.previous && { previous: options.previous }),
    });
    await play(stage);
  } finally {
    watch.stop();
    outcome.starvedMs = watch.starvedMs();
    await stage?.stop();
  }
  return outcome;

  async function play(on: Stage): Promise<void> {
    const judge = createJudge(on, outcome, watch.harms);
    // During a storm the run's own commands could fail.
    const crowds = await Promise.all(Array.from({ length: options.tables ?? 6 }, () => createUsers(on)));
    const endsAt = Date.now() + options.durationMs;
    const isTimeLeft = () => Date.now() < endsAt && !options.signal.aborted;
    const deps = { url: on.url, isTimeLeft, signal: options.signal, onTrouble: trouble };
    const tables = crowds.map((users) => keepPlaying(deps, users, random.fork(), judge.add));
    const homework = keepLearning(deps, await createUsers(on), random.fork());
    const weather = random.fork();
    await sleep(1000);
    // Chance alone might update no process in a short run.
    const steps = circumstances.hasRelease ? rollingUpdate(circumstances) : [];
    for (const step of steps) if (!options.signal.aborted) await rage(on, [step]);
    while (isTimeLeft()) {
      await rage(on, drawStorm(weather, circumstances));
      await sleep(CALM_MS);
      await judge.sit();
    }
    await Promise.all([...tables, homework]);
    await judge.sit();
    if (!options.signal.aborted) outcome.violations.push(...(await checkAftermath(on)));
  }

  /** Injects the faults of a storm. Faults of one process or store are injected one after the other. */
  async function rage(on: Stage, storm: Storm): Promise<void> {
    const turns = new Map<string, Promise<void>>();
    const startMs = Date.now();
    await Promise.all(
      storm.map(async (fault) => {
        await sleep(Math.max(0, startMs + fault.atMs - Date.now()));
        if (options.signal.aborted) return;
        const key = `${fault.place} ${fault.index}`;
        const turn = (turns.get(key) ?? Promise.resolve()).then(() => strike(on, fault));
        turns.set(key, turn);
        await turn;
      }),
    );
  }

  async function strike(on: Stage, fault: PlannedFault): Promise<void> {
    outcome.faults.set(fault.kind, (outcome.faults.get(fault.kind) ?? 0) + 1);
    try {
      await watch.during(fault, () => ACTS[fault.kind](on, fault));
    } catch (error) {
      trouble(`the fault ${fault.kind} failed: ${(error as Error).message}`);
    }
  }

  async function keepPlaying(
    run: Run,
    users: TestUser[],
    luck: Random,
    onPlayed: (played: PlayedLobby, untilMs: number) => void,
  ): Promise<void> {
    // Some answers come after the deadline on purpose.
    const thinkMs = Math.round(roundMs * 1.1);
    const deps = { ...run, games: 2, thinkMs, player: PLAYER, streams: STREAMS_SHARE };
    while (run.isTimeLeft()) {
      const players = users.slice(0, luck.int(2, PLAYERS_MAX));
      try {
        const played = await playLobby({ ...deps, settings: drawSettings(luck) }, players, luck);
        // An aborted run leaves its last games unfinished, so they are not judged.
        if (!options.signal.aborted) onPlayed(played, Date.now());
      } catch (error) {
        if (!options.signal.aborted) trouble(`a table broke: ${(error as Error).stack}`);
        return;
      }
    }
  }

  /**
   * Does one assignment after the other while faults are injected. What was acknowledged must survive every fault, those
   * that lose writes of Redis too. [contract 21]
   */
  async function keepLearning(run: Run, pupils: TestUser[], luck: Random): Promise<void> {
    const { questionCount, thinkMs } = HOMEWORK;
    try {
      while (run.isTimeLeft()) {
        const deps = { ...run, random: luck, thinkMs };
        const homework = await playHomework(deps, pupils[0] as TestUser, pupils, { questionCount });
        outcome.attempts += homework.attempts.length;
        outcome.violations.push(...checkHomework(homework));
      }
    } catch (error) {
      if (!options.signal.aborted) trouble(`homework broke: ${(error as Error).stack}`);
    }
  }
}

/** Signs the players up; each retries by itself, since a busy machine can be too slow for a first try. */
function createUsers({ services }: Stage): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: PLAYERS_MAX }, () => eventually(() => createSignedInUser(services))));
}

function drawSettings(luck: Random) {
  return {
    rounds: luck.int(1, 4),
    scoring: luck.pick(['accuracy', 'speed', 'streak'] as const),
    intermissionMs: luck.pick(INTERMISSIONS_MS),
    hostPlays: !luck.chance(0.2),
    lateJoin: luck.chance(0.3),
    compact: luck.chance(0.2),
  };
}

/** Judges ended lobbies while the stores are healthy. */
function createJudge(stage: Stage, outcome: Outcome, harms: Span[]) {
  const played: PlayedLobby[] = [];
  const waits: Wait[] = [];

  async function sit(): Promise<void> {
    const losses = lossesOf(harms);
    const told = new Map<string, LobbyHistory>();
    for (const lobby of played.splice(0)) {
      const whole = { ...lobby, ...(await eventually(() => readStored(stage, lobby))) };
      told.set(whole.lobbyId, whole);
      const verdict = checkLobby(whole, { losses });
      outcome.lobbies++;
      outcome.games += verdict.games;
      outcome.rounds += verdict.rounds;
      outcome.events += verdict.events;
      outcome.reconnects += verdict.reconnects;
      outcome.latenessMs = outcome.latenessMs.concat(verdict.latenessMs);
      outcome.cost.answers += verdict.lostAnswers;
      note(verdict.violations);
    }
    note(checkWaits(waits.splice(0), harms, LIMIT_MS));
    const text = await eventually(() => backendsTooMany(stage));
    note(text.map((words) => ({ kind: 'connections', text: words })));

    function note(violations: Violation[]): void {
      outcome.violations.push(...violations);
      for (const { lobbyId = '' } of violations) {
        const history = told.get(lobbyId);
        if (history && !outcome.histories.includes(history)) outcome.histories.push(history);
      }
    }
  }

  return {
    /** @param untilMs when the clients were stopped, ms */
    add(lobby: PlayedLobby, untilMs: number): void {
      played.push(lobby);
      waits.push(...waitsOf(lobby, untilMs));
    },
    sit,
  };
}

async function readStored(
  { services: { db } }: Stage,
  { code, lobbyId }: PlayedLobby,
): Promise<{ stored: StoredGame[]; members: string[] }> {
  const [games, players] = await Promise.all([
    db.game.findMany({ where: { code }, include: { scores: { orderBy: { position: 'asc' } } } }),
    db.lobbyPlayer.findMany({ where: { lobbyId } }),
  ]);
  return {
    stored: games.map(({ id, scores, winnerIds, finishedAt, rounds }) => {
      const userIds = userIdsByNumber(scores);
      const records = RoundRecord.array().parse(rounds);
      return {
        gameId: id,
        scores,
        winnerIds,
        finishedAt: finishedAt.toISOString(),
        rounds: records.map((record) => roundOfRecord(record, userIds)),
      };
    }),
    members: players.map(({ userId }) => userId),
  };
}
