// What takes a look at the stores to know, and concerns the whole service: the queues, the running
// games, what both stores run out of. Every worker tells the same: take the maximum of them, not the sum.
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { MAIL_QUEUE, MAIL_WISH_QUEUE } from '../src/auth/mail-queue.ts';
import { CLOCK_QUEUE } from '../src/match/clock.ts';
import { gauge, readOnScrape } from '../src/platform/metrics.ts';
import { createQueue } from '../src/platform/queue.ts';
import { mastersOf, type RedisClient } from '../src/platform/redis.ts';
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
const runningGames = gauge('quiz_running_games', 'Games that are running.');
const redisMemory = gauge(
  'quiz_redis_memory_bytes',
  'Memory of a Redis master: used, and the limit where there is one.',
  ['node', 'kind'],
);
const redisReplicas = gauge('quiz_redis_replicas', 'Replicas connected to a Redis master.', [
  'node',
]);
const redisAppends = gauge(
  'quiz_redis_append_ok',
  'Whether the last write to the append-only file went well: 1, or 0; nothing without such a file.',
  ['node'],
);

/** BullMQ orders delayed jobs by their time in ms, times this. */
const SCORE_PER_MS = 0x1000;

type Deps = Pick<Services, 'db' | 'logger' | 'redis'>;

/** Measures whenever the metrics are read. @returns what ends it */
export function measure({ db, logger, redis }: Deps): Consumer {
  const names = [CLOCK_QUEUE, MAIL_WISH_QUEUE, MAIL_QUEUE, CHORES_QUEUE];
  const queues = names.map((name) => createQueue(name, redis, logger));
  const stops = [
    readOnScrape(async () => {
      jobs.reset();
      lag.reset();
      await Promise.all(queues.map((queue) => measureQueue(queue, redis)));
    }),
    readOnScrape(async () => {
      runningGames.remove();
      runningGames.set(await db.lobby.count({ where: { status: 'running' } }));
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
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

async function measureQueue(queue: Queue, redis: RedisClient): Promise<void> {
  const states = ['waiting', 'active', 'delayed', 'failed'] as const;
  const [counts, [first]] = await Promise.all([
    queue.getJobCounts(...states),
    redis.zrange(queue.toKey('delayed'), '0', '0'),
  ]);
  for (const state of states) jobs.set({ queue: queue.name, state }, counts[state] ?? 0);
  const score = first && (await redis.zscore(queue.toKey('delayed'), first));
  const dueMs = score ? Number(score) / SCORE_PER_MS : Number.POSITIVE_INFINITY;
  lag.set({ queue: queue.name }, Math.max(0, Date.now() - dueMs) / 1000);
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
  redisReplicas.set({ node }, number('connected_slaves'));
  if (number('aof_enabled') === 1)
    redisAppends.set({ node }, text('aof_last_write_status') === 'ok' ? 1 : 0);
}
