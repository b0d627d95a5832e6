// Measures the cost of 20,000 running games in which no round ends: an idle second of a worker, a check of
// their clocks, and a scrape of the metrics. It compares them with the cost without games, so that the cost
// of each game is visible.
import { setTimeout } from 'node:timers/promises';
import { restoreClocks } from '../../src/match/clock/restore-clocks.ts';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { measure as measureOnScrape } from '../../worker/measure.ts';
import { firstDueMs, removeClocks } from '../support/clocks.ts';
import type { Figure } from './figures.ts';
import { type Cost, measure } from './meter.ts';
import { openGames } from './running-games.ts';
import type { Stage } from './stage.ts';

const GAMES = 20_000;
/** The time of a round, in which none ends during the measurement. */
const ROUND_MS = 30 * 60_000;
const REPETITIONS = 3;
const IDLE_MS = 10_000;
const TIMES = 10;

interface Standing {
  /** CPU of an idle second, ms. */
  idle: Cost[];
  /** CPU of one check or scrape, including this process, ms. */
  sweepMs: number[];
  scrapeMs: number[];
}

export async function measureStanding(stage: Stage): Promise<Figure[]> {
  const none = await standing(stage);
  await openGames(stage, new Array(GAMES).fill(stage.services.nowMs() + ROUND_MS));
  const many = await standing(stage);
  await stage.services.db.lobby.deleteMany();
  await removeClocks(stage.services);
  const figure = (name: string, of: (standing: Standing) => number[]): Figure => ({
    name: `20,000 running games, ${name}`,
    unit: 'ms',
    values: of(many),
    floor: { name: 'no game', values: of(none) },
  });
  return [
    figure('an idle second, worker', ({ idle }) => idle.map(({ worker }) => worker)),
    figure('an idle second, Redis', ({ idle }) => idle.map(({ redis }) => redis)),
    figure('an idle second, PostgreSQL', ({ idle }) => idle.map(({ postgres }) => postgres)),
    figure('a sweep, all processes', ({ sweepMs }) => sweepMs),
    figure('a scrape, all processes', ({ scrapeMs }) => scrapeMs),
  ];
}

async function standing(stage: Stage): Promise<Standing> {
  const { services } = stage;
  const worker = await stage.startWorker();
  await untilAllAreDelayed(stage);
  const idle: Cost[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const { cost } = await measure(stage, { apis: [], worker }, () => setTimeout(IDLE_MS));
    const parts = Object.entries(cost).map(([part, ms]) => [part, (ms * 1000) / IDLE_MS]);
    idle.push(Object.fromEntries(parts) as Cost);
  }
  await worker.stop();
  const measuring = measureOnScrape(services);
  const sweepMs = await costsOf(stage, () => restoreClocks(services));
  const scrapeMs = await costsOf(stage, renderMetrics);
  await measuring.close();
  return { idle, sweepMs, scrapeMs };
}

/** Waits until each clock has run once after the start of its game, which takes the worker some time. */
async function untilAllAreDelayed({ services }: Stage): Promise<void> {
  const soonMs = services.nowMs() + ROUND_MS / 2;
  do await setTimeout(1000);
  while ((await firstDueMs(services)) < soonMs);
}

/** @returns the average cost in each repetition, ms; the first repetition warms up */
async function costsOf(stage: Stage, run: () => Promise<unknown>): Promise<number[]> {
  const costs: number[] = [];
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const before = process.cpuUsage();
    const { cost } = await measure(stage, { apis: [] }, async () => {
      for (let count = 0; count < TIMES; count++) await run();
    });
    const { user, system } = process.cpuUsage(before);
    costs.push((cost.all + (user + system) / 1000) / TIMES);
  }
  return costs.slice(1);
}
