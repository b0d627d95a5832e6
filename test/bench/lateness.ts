// How late a round ends with a thousand games on one worker, their deadlines spread over some seconds
// or all the same: against as many bare BullMQ jobs of the same delays.
import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import type { LogEntry } from '../../src/lobby/history.ts';
import type { LobbySettings } from '../../src/lobby/schema.ts';
import type { MatchPlan } from '../../src/match/plan.ts';
import { openMatch } from '../../src/match/start-match.ts';
import { drawQuestions } from '../../src/vocabulary/draw-questions.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { removeClocks } from '../support/clocks.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import { type Figure, median, quantile } from './figures.ts';
import type { Stage } from './stage.ts';
import { redisCpuMs } from './store-cpu.ts';

const REPETITIONS = 3;
const GAMES = 1000;
/** From the first preparation to the first deadline. */
const PREPARE_GAMES_MS = 5000;
const PREPARE_JOBS_MS = 3000;
const SPREAD_MS = 4000;
const AT_ONCE = 25;

interface Ends {
  /** How long after its deadline each round was resolved, or each job taken up. */
  lateMs: number[];
  /** What the worker used for all of them. */
  cpuMs: number;
  /** What Redis used. */
  redisMs: number;
}

const SETTINGS = {
  ...{ pos: 'noun', sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'A1' },
  ...{ rounds: 2, scoring: 'accuracy' },
  ...{ roundMs: 15_000, intermissionMs: 0, hostPlays: true, lateJoin: false },
} satisfies LobbySettings & Deck;

export async function measureLateness(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, spreadMs] of [
    ['spread over 4 s', SPREAD_MS],
    ['all at once', 0],
  ] as const) {
    const own: Ends[] = [];
    const floor: Ends[] = [];
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      own.push(await lateRounds(stage, spreadMs));
      floor.push(await lateJobs(stage, spreadMs));
    }
    const figure = (what: string, of: (ends: Ends) => number): Figure => ({
      ...{ name: `end of a round, 1,000 games ${name}, ${what}`, unit: 'ms' },
      values: own.map(of),
      floor: { name: 'bare BullMQ job', values: floor.map(of) },
    });
    figures.push(
      figure('median late', ({ lateMs }) => median(lateMs)),
      figure('p99 late', ({ lateMs }) => quantile(lateMs, 0.99)),
      figure('CPU of the worker', ({ cpuMs }) => cpuMs / GAMES),
      figure('CPU of Redis', ({ redisMs }) => redisMs / GAMES),
    );
  }
  return figures;
}

/** The moments at which rounds end. */
function dueTimes(prepareMs: number, spreadMs: number): number[] {
  const firstMs = Date.now() + prepareMs;
  return Array.from({ length: GAMES }, (_, index) => firstMs + (index / GAMES) * spreadMs);
}

/** The first round of each game. */
async function lateRounds(stage: Stage, spreadMs: number): Promise<Ends> {
  const { services } = stage;
  const worker = await stage.startWorker();
  const due = dueTimes(PREPARE_GAMES_MS, spreadMs);
  const plans = await insertLobbies(stage);
  await inParallel(plans, async (plan, index) => {
    const durationMs = Math.round((due[index] as number) - services.nowMs());
    await services.clock.wind({ ...plan, durationMs });
    await openMatch(services, { ...plan, durationMs });
  });
  const { result: lateMs, ...used } = await usedBy(stage, worker, () => lateOf(stage, plans, due));
  await worker.stop();
  await services.db.lobby.deleteMany();
  await removeClocks(services);
  return { lateMs, ...used };
}

/** A thousand running lobbies whose games are still to be opened. */
async function insertLobbies({ services }: Stage): Promise<MatchPlan[]> {
  const { id: userId, name } = await createSignedInUser(services);
  const questions = await drawQuestions(
    { ...services, random: (bound) => Math.floor(Math.random() * bound) },
    SETTINGS,
    SETTINGS.rounds,
  );
  const plans = Array.from({ length: GAMES }, (_, index) => ({
    ...{ lobbyId: randomUUID(), gameId: randomUUID(), code: `B${String(index).padStart(5, '0')}` },
    ...{ settings: SETTINGS, durationMs: 0, questions, players: [{ userId, name }] },
  }));
  await services.db.lobby.createMany({
    data: plans.map(({ lobbyId, gameId, code }) => ({
      ...{ id: lobbyId, gameId, code, status: 'running', hostId: userId },
      ...{ capacity: 8, playerCount: 1, settings: SETTINGS },
    })),
  });
  await services.db.lobbyPlayer.createMany({
    data: plans.map(({ lobbyId }) => ({ lobbyId, userId })),
  });
  return plans;
}

async function lateOf({ services }: Stage, plans: MatchPlan[], due: number[]): Promise<number[]> {
  if (Date.now() > (due[0] as number)) throw new Error('The games were not ready in time.');
  await sleepUntil((due.at(-1) as number) + 1000);
  const late: number[] = [];
  for (const { lobbyId } of plans) {
    const log = await untilResolved(() => readWholeLog(services.redis, lobbyId));
    const [question, result] = log as [LogEntry, LogEntry];
    late.push(result.atMs - (question.deadlineMs as number));
  }
  return late;
}

async function untilResolved(readEvents: () => Promise<LogEntry[]>): Promise<LogEntry[]> {
  for (const giveUpAt = Date.now() + 30_000; Date.now() < giveUpAt; ) {
    const log = (await readEvents()).filter(({ type }) => type.startsWith('game:'));
    if (log[1]?.type === 'game:answer_result') return log;
    await sleepUntil(Date.now() + 50);
  }
  throw new Error('A round did not end.');
}

async function lateJobs(stage: Stage, spreadMs: number): Promise<Ends> {
  const worker = await stage.startFloor('floor-worker', stage.redisUrl, String(GAMES));
  const connection = new Redis(stage.redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('floor', { connection });
  const due = dueTimes(PREPARE_JOBS_MS, spreadMs).map(Math.round);
  await inParallel(due, async (dueMs) => {
    await queue.add('late', { dueMs }, { delay: dueMs - Date.now() });
  });
  const { result: lateMs, ...used } = await usedBy(stage, worker, async () => {
    await sleepUntil((due.at(-1) as number) + 1000);
    let late: number[] = [];
    while (late.length < GAMES) late = await worker.ask<number[]>('late');
    return late;
  });
  await worker.stop();
  await queue.close();
  connection.disconnect();
  return { lateMs, ...used };
}

async function usedBy<T>({ services }: Stage, worker: Child, run: () => Promise<T>) {
  const used = async () => [await worker.cpuMs(), await redisCpuMs(services.redis)] as const;
  const before = await used();
  const result = await run();
  const [cpuMs, redisMs] = await used();
  return { result, cpuMs: cpuMs - before[0], redisMs: redisMs - before[1] };
}

async function inParallel<T>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of entries) await run(item, index);
    }),
  );
}

async function sleepUntil(timeMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, timeMs - Date.now())));
}
