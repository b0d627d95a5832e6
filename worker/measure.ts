// What takes a look at the stores to know, and concerns the whole service: the queues, the running
// games, what both stores run out of. Every worker tells the same: take the maximum of them, not the sum.
import type { Redis } from 'ioredis';
import { MAIL_QUEUE, MAIL_WISH_QUEUE } from '../src/auth/mail-queue.ts';
import { CLOCK_QUEUE } from '../src/match/clock-queues.ts';
import { gauge, readOnScrape } from '../src/platform/metrics.ts';
import { lookAt, type QueueState } from '../src/platform/queue-look.ts';
import { mastersOf } from '../src/platform/redis.ts';
import type { Services } from '../src/services.ts';
import type { Consumer } from './consume.ts';
import { CHORES_QUEUE } from './maintain.ts';
import { measurePostgres } from './measure-postgres.ts';

const jobs = gauge('quiz_queue_jobs', 'Jobs of a queue, by state.', ['queue', 'state']);
const lag = gauge(
  'quiz_queue_lag_seconds',
  'How long the job that is due longest has been due without being taken up.',
  ['queue'],
);
const runningGames = gauge(
  'quiz_running_games',
  'Games that are running: those that have a clock.',
);
const redisMemory = gauge(
  'quiz_redis_memory_bytes',
  'Memory of a Redis master: used, and the limit where there is one.',
  ['node', 'kind'],
);
const redisReplicas = gauge(
  'quiz_redis_replicas',
  'Replicas of a Redis master that keep up with it.',
  ['node'],
);
const redisAppends = gauge(
  'quiz_redis_append_ok',
  'Whether the last write to the append-only file went well: 1, or 0; nothing without such a file.',
  ['node'],
);

type Deps = Pick<Services, 'clock' | 'db' | 'nowMs' | 'redis'>;

/** Measures whenever the metrics are read. @returns what ends it */
export function measure({ clock, db, nowMs, redis }: Deps): Consumer {
  const stops = [
    readOnScrape(async () => {
      jobs.reset();
      lag.reset();
      runningGames.remove();
      await measureQueues({ clock, nowMs, redis });
    }),
    readOnScrape(() => measurePostgres(db)),
    readOnScrape(async () => {
      for (const metric of [redisMemory, redisReplicas, redisAppends]) metric.reset();
      await Promise.all((await mastersOf(redis)).map(measureRedis));
    }),
  ];
  return {
    async close() {
      for (const stop of stops) stop();
    },
  };
}

/** The queues of clocks have one name, and are told as one. */
async function measureQueues(deps: Pick<Deps, 'clock' | 'nowMs' | 'redis'>): Promise<void> {
  const { clock, redis } = deps;
  const places = [...(await clock.places()), MAIL_WISH_QUEUE, MAIL_QUEUE, CHORES_QUEUE];
  const looks = await lookAt(redis, places);
  const nowMs = deps.nowMs();
  for (const [queue, group] of Map.groupBy(looks, ([{ name }]) => name)) {
    const states = group.map(([, state]) => state);
    for (const kind of ['waiting', 'active', 'delayed', 'failed'] as const)
      jobs.set(
        { queue, state: kind },
        states.reduce((sum, state) => sum + state[kind], 0),
      );
    if (queue === CLOCK_QUEUE) runningGames.set(clocksIn(states));
    const lags = states.map(({ dueMs }) => nowMs - (dueMs ?? nowMs));
    lag.set({ queue }, Math.max(0, ...lags) / 1000);
  }
}

/** Counted for nothing, where rows would have to be counted. */
function clocksIn(states: QueueState[]): number {
  return states.reduce((sum, state) => sum + state.waiting + state.active + state.delayed, 0);
}

async function measureRedis(redis: Redis): Promise<void> {
  const { host, name, port } = redis.options;
  // Behind Sentinels the primary is a name, whichever server that is.
  const node = name ?? `${host}:${port}`;
  const info = await redis.info();
  const number = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const text = (name: string) => new RegExp(`^${name}:(\\w+)`, 'm').exec(info)?.[1];
  redisMemory.set({ node, kind: 'used' }, number('used_memory'));
  if (number('maxmemory') > 0) redisMemory.set({ node, kind: 'limit' }, number('maxmemory'));
  redisReplicas.set({ node }, replicasIn(info));
  if (number('aof_enabled') === 1)
    redisAppends.set({ node }, text('aof_last_write_status') === 'ok' ? 1 : 0);
}

/** One that is silent for longer than this, in s, would be behind after a failover: it counts as missing. */
const LAG_MAX_S = 10;

function replicasIn(info: string): number {
  const lags = [...info.matchAll(/^slave\d+:.*\bstate=online\b.*\blag=(\d+)/gm)];
  return lags.filter(([, lagS]) => Number(lagS) <= LAG_MAX_S).length;
}
