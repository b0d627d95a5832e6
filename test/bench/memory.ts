// Judges 2,000 answers a second while one of two workers is killed every three seconds, and measures how late
// the answers are in PostgreSQL. Each must be there exactly once. [contract 13]
import { setTimeout as sleep } from 'node:timers/promises';
import { PENDING_KEYS } from '../../src/singleplayer/keys.ts';
import { eventually } from '../support/eventually.ts';
import { type Judging, startJudging } from '../support/judging.ts';
import { type Figure, quantile } from './figures.ts';
import type { Stage } from './stage.ts';

const DURATION_MS = 60_000;
const ANSWERS_A_SECOND = 2000;
const TICK_MS = 25;
const KILL_EVERY_MS = 3000;
const USERS = 500;

export async function measureMemory(stage: Stage): Promise<Figure[]> {
  const judging = await startJudging(stage.services, USERS);
  const ending = new AbortController();
  const lagsMs = noteLags(stage, ending.signal);
  const kills = killWorkers(stage, ending.signal);
  const judged = await judgeSteadily(judging);
  ending.abort();
  const killed = await kills;
  await eventually(async () => {
    if ((await judging.written()) < judged) throw new Error('answers are not written');
  });
  const faults = await judging.faults();
  if (faults.length > 0) throw new Error(`of ${judged} answers: ${faults.slice(0, 5).join('; ')}`);
  const lags = (await lagsMs).map((lagMs) => lagMs / 1000);
  return [
    { name: 'answers judged a second', unit: '1/s', values: [(judged * 1000) / DURATION_MS] },
    { name: 'workers killed meanwhile', unit: '', values: [killed] },
    { name: 'lag of the memory, median', unit: 's', values: [quantile(lags, 0.5)] },
    { name: 'lag of the memory, longest', unit: 's', values: [Math.max(...lags)] },
    { name: 'answers lost or doubled', unit: '', values: [faults.length] },
  ];
}

/** @returns the number of judged answers, which is the intended one unless the machine is too slow */
async function judgeSteadily(judging: Judging): Promise<number> {
  const startedMs = performance.now();
  let judged = 0;
  for (let nowMs = startedMs; nowMs < startedMs + DURATION_MS; nowMs = performance.now()) {
    const owed = Math.floor(((nowMs - startedMs) * ANSWERS_A_SECOND) / 1000) - judged;
    await judging.judge(owed);
    judged += owed;
    await sleep(TICK_MS);
  }
  return judged;
}

/** Runs two workers, and in turn kills one and starts another. @returns the number of killed workers */
async function killWorkers(stage: Stage, ending: AbortSignal): Promise<number> {
  const workers = [stage.startWorker(), stage.startWorker()];
  let killed = 0;
  while (await pause(KILL_EVERY_MS, ending)) {
    await (await workers.shift())?.stop();
    killed += 1;
    workers.push(stage.startWorker());
  }
  await Promise.all(workers);
  return killed;
}

/** @returns the age of the oldest quiz that waits to be learned, every 100 ms until none waits */
async function noteLags({ services }: Stage, ending: AbortSignal): Promise<number[]> {
  const { redis } = services;
  const lagsMs: number[] = [];
  for (let isEmpty = false; !(isEmpty && ending.aborted); ) {
    const [indexes, [seconds, micros]] = await Promise.all([
      Promise.all(PENDING_KEYS.map((key) => redis.zrange(key, '0', '0', 'WITHSCORES'))),
      redis.time(),
    ]);
    const timesMs = indexes.flatMap(([, sinceMs]) => (sinceMs ? [Number(sinceMs)] : []));
    isEmpty = timesMs.length === 0;
    const nowMs = Number(seconds) * 1000 + Number(micros) / 1000;
    lagsMs.push(isEmpty ? 0 : nowMs - Math.min(...timesMs));
    await sleep(100);
  }
  return lagsMs;
}

/** @returns whether the run goes on */
async function pause(ms: number, ending: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: ending }).catch(() => undefined);
  return !ending.aborted;
}
