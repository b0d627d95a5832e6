// One run: games all the time, storms of faults with calms between them, and the verdict on every
// lobby as soon as it is over.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkLobby } from '../../src/prove/checker/checker.ts';
import type { LobbyHistory, Span, StoredGame, Violation } from '../../src/prove/history.ts';
import { createRandom, type Random } from '../../src/prove/random.ts';
import { type Played, playLobby, type TableDeps } from '../../src/prove/table.ts';
import { eventually } from '../support/eventually.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { backendsTooMany, checkAftermath } from './aftermath.ts';
import { checkWaits, type Wait } from './check-waits.ts';
import { ACTS } from './faults/faults.ts';
import {
  drawStorm,
  type FaultKind,
  type PlannedFault,
  type Storm,
  type Topology,
} from './schedule.ts';
import { openStage, type Stage } from './stage.ts';
import { createTotals, type Totals } from './totals.ts';
import { waitsOf } from './waits.ts';
import { startWatch } from './watch.ts';

/** How long anything may take when nothing is harmed. */
const LIMIT_MS = 3000;
/** Between two storms everything has to come right. */
const CALM_MS = 5000;
/** After these Redis may lack what it had taken, as the runbook says. */
const LOSING: readonly string[] = [
  ...(['lose-writes', 'lose-master'] satisfies FaultKind[]),
  'failover',
];
const lossesOf = (harms: readonly Span[]) => harms.filter(({ what }) => LOSING.includes(what));
/** What a worker says of a game that was lost with the last writes. */
const LOST_GAME = 'a game is lost';
const PLAYERS_MAX = 4;
/** The release to update from may not know of them. */
const INTERMISSIONS_MS = [0, 0, 400, 1200];
/** What they wait for is the service's affair, not that of a client's patience. */
const PLAYER = { handshakeTimeoutMs: 3000, retryMs: 50 };
const PROGRESS_EVERY_MS = 1000;

export interface RunOptions {
  seed: number;
  durationMs: number;
  /** By default one that the seed picks. */
  topology?: Topology;
  /** A folder with the release to update from. */
  previous?: string;
  /** How many lobbies play at a time. */
  tables?: number;
  signal: AbortSignal;
  onProgress?(progress: Progress): void;
}

export interface Progress extends Totals {
  topology: Topology;
}

export interface Outcome extends Progress {
  /** The lobbies of which a violation tells, whole. */
  histories: LobbyHistory[];
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
  };
  const outcome: Outcome = {
    ...{ topology: circumstances.topology, ...createTotals(), histories: [], harms: [] },
  };
  const trouble = (text: string) => void outcome.violations.push({ kind: 'trouble', text });
  const hearProcess = (text: string) => {
    if (text.includes(LOST_GAME) && lossesOf(watch.harms).length > 0) outcome.cost.games++;
    else trouble(text);
  };
  let stage: Stage | undefined;
  const watch = startWatch(() => stage);
  outcome.harms = watch.harms;
  const roundMs = random.int(1000, 2000);
  const progress = setInterval(() => {
    outcome.starvedMs = watch.starvedMs();
    options.onProgress?.(outcome);
  }, PROGRESS_EVERY_MS);
  try {
    stage = await openStage({
      ...{
        circumstances,
        roundMs,
        onTrouble: hearProcess,
        onStarved: watch.noteStarved,
        onFailover: watch.noteFailover,
      },
      ...(options.previous && { previous: options.previous }),
    });
    await play(stage);
  } finally {
    clearInterval(progress);
    watch.stop();
    outcome.starvedMs = watch.starvedMs();
    await stage?.stop();
  }
  return outcome;

  async function play(on: Stage): Promise<void> {
    const judge = createJudge(on, outcome, watch.harms);
    // In a storm the run's own hands would be refused.
    const crowds = await Promise.all(
      Array.from({ length: options.tables ?? 6 }, () => createUsers(on)),
    );
    const endsAt = Date.now() + options.durationMs;
    const isTimeLeft = () => Date.now() < endsAt && !options.signal.aborted;
    const tables = crowds.map((users) =>
      keepPlaying(on, users, random.fork(), isTimeLeft, judge.add),
    );
    const weather = random.fork();
    await sleep(1000);
    while (isTimeLeft()) {
      await rage(on, drawStorm(weather, circumstances));
      await sleep(CALM_MS);
      await judge.sit();
    }
    await Promise.all(tables);
    await judge.sit();
    if (!options.signal.aborted) outcome.violations.push(...(await checkAftermath(on)));
  }

  /** Faults of one process or store happen one after the other, all others whenever they do. */
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
    { url }: Stage,
    users: TestUser[],
    luck: Random,
    isTimeLeft: () => boolean,
    onPlayed: (played: Played) => void,
  ): Promise<void> {
    const deps: TableDeps = {
      ...{ url, isTimeLeft, signal: options.signal, onTrouble: trouble },
      ...{ settings: drawSettings, games: 2 },
      // Now and then somebody thinks for too long.
      thinkMs: Math.round(roundMs * 1.1),
      player: PLAYER,
    };
    while (isTimeLeft()) {
      const players = users.slice(0, luck.int(2, PLAYERS_MAX));
      try {
        const played = await playLobby(deps, players, luck);
        // Of a run that is being ended the last games have no end.
        if (!options.signal.aborted) onPlayed(played);
      } catch (error) {
        if (!options.signal.aborted) trouble(`a table broke: ${(error as Error).stack}`);
        return;
      }
    }
  }
}

/** Each tries again by itself: on a busy machine some come too late. */
function createUsers({ services }: Stage): Promise<TestUser[]> {
  return Promise.all(
    Array.from({ length: PLAYERS_MAX }, () => eventually(() => createSignedInUser(services))),
  );
}

function drawSettings(luck: Random) {
  return {
    ...{ rounds: luck.int(1, 4), scoring: luck.pick(['accuracy', 'speed', 'streak'] as const) },
    intermissionMs: luck.pick(INTERMISSIONS_MS),
    hostPlays: !luck.chance(0.2),
    lateJoin: luck.chance(0.3),
  };
}

/** Judges the lobbies that are over, whenever the stores are well. */
function createJudge(stage: Stage, outcome: Outcome, harms: Span[]) {
  const played: Played[] = [];
  const waits: Wait[] = [];

  async function sit(): Promise<void> {
    const losses = lossesOf(harms);
    const told = new Map<string, LobbyHistory>();
    for (const { history, players } of played.splice(0)) {
      const whole = { ...history, ...(await eventually(() => readStored(stage, history))) };
      told.set(whole.lobbyId, whole);
      const verdict = checkLobby(whole, { losses });
      outcome.lobbies++;
      outcome.games += verdict.games;
      outcome.rounds += verdict.rounds;
      outcome.events += verdict.events;
      for (const { connections } of players)
        outcome.reconnections += Math.max(0, connections.length - 1);
      for (const key of ['rewinds', 'answers'] as const) outcome.cost[key] += verdict.cost[key];
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
    add(lobby: Played): void {
      const { history, asked, untilMs } = lobby;
      const { lobbyId } = history;
      played.push(lobby);
      waits.push(...asked.map((span) => ({ ...span, lobbyId })), ...waitsOf(history, untilMs));
    },
    sit,
  };
}

async function readStored(
  { services: { db } }: Stage,
  { code, lobbyId }: Played['history'],
): Promise<{ stored: StoredGame[]; members: string[] }> {
  const [games, players] = await Promise.all([
    db.game.findMany({
      where: { code },
      include: { scores: { orderBy: { position: 'asc' } } },
    }),
    db.lobbyPlayer.findMany({ where: { lobbyId } }),
  ]);
  return {
    stored: games.map(({ id, scores, winnerIds }) => ({ gameId: id, scores, winnerIds })),
    members: players.map(({ userId }) => userId),
  };
}
