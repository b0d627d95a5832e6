// Measures how late rounds end with a thousand games or more on one worker, with deadlines that are spread over some
// seconds or all equal. It compares them with as many bare BullMQ jobs with the same delays, which their worker only
// completes. The service's job judges the round, publishes two events, and is delayed to the next deadline.
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import type { LogEntry } from '../../src/lobby/history.ts';
import type { PreparedMatch } from '../../src/match/prepared-match.ts';
import { eventually } from '../support/eventually.ts';
import { inParallel } from './batches.ts';
import type { Child } from './child.ts';
import { type Cost, comparing, type Figure, inTurns, median, quantile } from './figures.ts';
import { measure } from './meter.ts';
import { openGames, removeGames } from './running-games.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
/** The time from the first preparation to the first deadline, ms: a fixed part, and a part for each game. */
const PREPARE_MS = 4000;
const PREPARE_EACH_MS = 4;
/** By this time before the first deadline, each clock has run once and found its game running. */
const QUIET_MS = 500;
const FIRST_LOOK_MS = 1500;

/** The number of deadlines, and the time over which they are spread. */
interface Field {
  games: number;
  spreadMs: number;
}

const FIELDS: Field[] = [
  { games: 1000, spreadMs: 4000 },
  { games: 1000, spreadMs: 0 },
];
/** Each game has one deadline in the time of a round. */
const MANY: Field[] = [{ games: 5000, spreadMs: 15_000 }];

interface Ends {
  /** The lateness of each round or job, ms. */
  lateMs: number[];
  /** Of all of them. */
  cost: Cost;
}

export const measureLateness = (stage: Stage) => measureFields(stage, FIELDS);
export const measureLatenessOfMany = (stage: Stage) => measureFields(stage, MANY);

async function measureFields(stage: Stage, fields: Field[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const field of fields) {
    const { games, spreadMs } = field;
    const runs = [() => lateRounds(stage, field), () => lateJobs(stage, field)] as const;
    const [own, floor] = await inTurns(REPETITIONS, runs, 0);
    const name = `${games} games ${spreadMs > 0 ? `spread over ${spreadMs / 1000} s` : 'all at once'}`;
    const figure = (what: string, of: (ends: Ends) => number) =>
      comparing(own, 'bare BullMQ job', floor).figure(`end of a round, ${name}, ${what}`, 'ms', of);
    figures.push(
      figure('median late', ({ lateMs }) => median(lateMs)),
      figure('p99 late', ({ lateMs }) => quantile(lateMs, 0.99)),
      figure('CPU of both', ({ cost }) => (cost.worker + cost.redis) / games),
      figure('CPU of the worker', ({ cost }) => cost.worker / games),
      figure('CPU of Redis', ({ cost }) => cost.redis / games),
    );
  }
  return figures;
}

/** @returns the deadlines of the rounds */
function dueTimes({ games, spreadMs }: Field): number[] {
  const firstMs = Date.now() + PREPARE_MS + games * PREPARE_EACH_MS;
  return Array.from({ length: games }, (_, index) => Math.round(firstMs + (index / games) * spreadMs));
}

/** Measures the first round of each game. */
async function lateRounds(stage: Stage, field: Field): Promise<Ends> {
  const worker = await stage.startWorker();
  const due = dueTimes(field);
  const games = await openGames(stage, due);
  const ends = await endsOf(stage, worker, due, () => lateOf(stage, games));
  await removeGames(stage);
  return ends;
}

async function lateOf({ services }: Stage, games: PreparedMatch[]): Promise<number[]> {
  const late: number[] = [];
  for (const { lobbyId } of games) {
    const [question, result] = await eventually(async () => {
      const log = (await readWholeLog(services.redis, lobbyId)).filter(({ type }) => type.startsWith('game:'));
      if (log[1]?.type !== 'game:answer_result') throw new Error('A round did not end.');
      return log as [LogEntry, LogEntry];
    });
    late.push(result.atMs - (question.deadlineMs as number));
  }
  return late;
}

async function lateJobs(stage: Stage, field: Field): Promise<Ends> {
  const { games } = field;
  const worker = await stage.startFloor('floor-worker', String(games));
  const queue = new Queue('floor', { connection: { url: stage.redisUrl } });
  const due = dueTimes(field);
  await inParallel(due, async (dueMs) => {
    // The service's clocks also run once before, so that the compilation of code is not measured.
    await queue.add('early', { dueMs: null });
    await queue.add('late', { dueMs }, { delay: dueMs - Date.now() });
  });
  const ends = await endsOf(stage, worker, due, async () => {
    let late: number[] = [];
    while (late.length < games) late = await worker.ask<number[]>('late');
    return late;
  });
  await queue.close();
  return ends;
}

/** Measures the prepared deadlines. @param read returns the lateness of each, once all are over */
async function endsOf(stage: Stage, worker: Child, due: number[], read: () => Promise<number[]>): Promise<Ends> {
  const [firstMs = 0, lastMs = 0] = [due[0], due.at(-1)];
  if (Date.now() > firstMs - QUIET_MS - FIRST_LOOK_MS) throw new Error('Not ready in time.');
  await sleepUntil(firstMs - QUIET_MS);
  const { cost } = await measure(stage, { apis: [], worker }, () => sleepUntil(lastMs + 1000));
  const lateMs = await read();
  await worker.stop();
  return { lateMs, cost };
}

const sleepUntil = (timeMs: number) => sleep(Math.max(0, timeMs - Date.now()));
