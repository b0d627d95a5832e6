// Checks the service after all clients have disconnected: no socket, room, running game or clock is left, no
// pool has too many connections, and every key in Redis expires. [contract 5, 8]
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { Violation } from '../../src/tools/prove/history.ts';
import { eachQueue } from '../support/clocks.ts';
import type { Node, Stage } from './stage.ts';

/** The time within which a crashed replica's presence entries and all work in progress are gone, ms. */
const SETTLED_BY_MS = 20_000;

/** The keys that BullMQ keeps for every queue, even an empty one. */
const QUEUE_KEYS =
  /^\{quiz(?::clock:\d+)?\}:[a-z-]+(:(meta|id|events|delayed|marker|wait|active|repeat|pc|stalled|stalled-check))?(:|$)/;
/** The largest number of jobs of a queue that a report lists. */
const TOLD_MAX = 10;

/** Waits until nothing is left. @returns a description of everything that still is after the time limit */
export async function checkAftermath(stage: Stage): Promise<Violation[]> {
  const giveUpAt = Date.now() + SETTLED_BY_MS;
  for (;;) {
    // A busy machine may keep a store from answering in time.
    const found = await findLeftovers(stage).catch((error: Error) => [error.message]);
    const violations = found.map((text) => ({ kind: 'left over', text }));
    if (violations.length === 0 || Date.now() > giveUpAt) return violations;
    await sleep(500);
  }
}

async function findLeftovers(stage: Stage): Promise<string[]> {
  const nodes = [...stage.replicas, ...stage.workers];
  const found = await Promise.all([
    ...stage.replicas.map(handlesOf),
    keysWithoutEnd(stage),
    clocksLeft(stage),
    rowsLeft(stage),
    backendsTooMany(stage),
    ...nodes.map(async ({ isUp, name }) => (isUp() ? [] : [`${name} is not up`])),
  ]);
  return found.flat();
}

async function handlesOf({ metricsUrl, name }: Node): Promise<string[]> {
  const response = await fetch(`${metricsUrl}/metrics`).catch(() => null);
  if (!response) return [`${name} tells no metrics`];
  const text = await response.text();
  return ['quiz_sockets', 'quiz_rooms'].flatMap((metric) => {
    const value = Number(new RegExp(`^${metric} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
    return value === 0 ? [] : [`${name} has ${metric} ${value}`];
  });
}

async function keysWithoutEnd({ services: { redis } }: Stage): Promise<string[]> {
  const found: string[] = [];
  for (const master of redis instanceof Cluster ? redis.nodes('master') : [redis])
    for await (const keys of master.scanStream({ count: 500 }) as AsyncIterable<string[]>)
      for (const key of keys)
        if (!QUEUE_KEYS.test(key) && (await master.pttl(key)) === -1) found.push(`a key has no end: ${key}`);
  return found;
}

async function clocksLeft({ services }: Stage): Promise<string[]> {
  const found = await eachQueue(services, async (queue) => {
    const jobs = await queue.getJobs(['active', 'waiting', 'delayed', 'failed'], 0, TOLD_MAX);
    return Promise.all(
      jobs.map(async (job) => {
        const dueInMs = (job.data.dueMs ?? 0) - Date.now();
        return `a clock is left: ${job.id}, ${await job.getState()}, due in ${dueInMs} ms`;
      }),
    );
  });
  return found.flat();
}

async function rowsLeft({ services: { db } }: Stage): Promise<string[]> {
  const counts = {
    'games still run': await db.lobby.count({ where: { status: 'running' } }),
    'finished games are not learned': await db.game.count({ where: { learned: false } }),
    'attempts of assignments are not learned': await db.assignmentAttempt.count({
      where: { unlearnedSince: { not: null } },
    }),
  };
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
}

/** Checks what holds at any time: PostgreSQL has no more connections than the pools allow. */
export async function backendsTooMany({ services, backendsMax }: Stage): Promise<string[]> {
  const own = services.config.database.poolMax;
  const rows = await services.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`;
  const count = Number(rows[0]?.count ?? 0);
  return count <= backendsMax + own ? [] : [`PostgreSQL has ${count} connections`];
}
