// What must be true of the service itself when all clients have gone: no socket, no room, no running
// game, no clock, no connection too many, and no key that would stay for ever. [contract 5, 8]
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, type Redis } from 'ioredis';
import type { Violation } from '../../src/prove/history.ts';
import type { Node, Stage } from './stage.ts';

/** A crashed replica's entries of presence, and what was under way, are gone by then. */
const SETTLED_BY_MS = 20_000;

/** What BullMQ keeps for a queue as such, whatever is in it. */
const QUEUE_KEYS =
  /^\{quiz(?::clock:\d+)?\}:[a-z-]+(:(meta|id|events|delayed|marker|wait|active|repeat|pc|stalled|stalled-check))?(:|$)/;
/** A queue of judged answers: it stays, and is empty when all of them are written. */
const JUDGED = /^learn:\{[^}]+\}:judged$/;
/** BullMQ orders delayed jobs by their time in ms, times this. */
const SCORE_PER_MS = 0x1000;
const CLOCK = /^\{quiz(?::clock:\d+)?\}:clock:[0-9a-f-]{36}$/;

/** @returns what is still there after a while */
export async function checkAftermath(stage: Stage): Promise<Violation[]> {
  const giveUpAt = Date.now() + SETTLED_BY_MS;
  for (;;) {
    const violations = (await findLeftovers(stage)).map((text) => ({ kind: 'left over', text }));
    if (violations.length === 0 || Date.now() > giveUpAt) return violations;
    await sleep(500);
  }
}

async function findLeftovers(stage: Stage): Promise<string[]> {
  const nodes = [...stage.replicas, ...stage.workers];
  const found = await Promise.all([
    ...stage.replicas.map(handlesOf),
    keysWithoutEnd(stage),
    runningGames(stage),
    backendsTooMany(stage),
    ...nodes.map(async ({ isUp, name }) => (isUp ? [] : [`${name} is not up`])),
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

async function keysWithoutEnd({ services }: Stage): Promise<string[]> {
  const { redis } = services;
  const masters = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const found = await Promise.all(masters.map((master) => keysOfMaster(master)));
  return found.flat();
}

/** @returns when a clock is due, ms from now, or, when it isn't put off, all that is known of it */
async function whereaboutsOf(redis: Redis, key: string): Promise<number | string> {
  const [, queue = '', id = ''] = /^(.*:)([^:]*)$/.exec(key) ?? [];
  const score = await redis.zscore(`${queue}delayed`, id);
  if (score !== null) return Math.round(Number(score) / SCORE_PER_MS - Date.now());
  const lists = ['wait', 'active', 'paused'];
  const places = await Promise.all(lists.map((list) => redis.lpos(`${queue}${list}`, id)));
  const { data, opts, ...life } = await redis.hgetall(key);
  const lockedMs = await redis.pttl(`${key}:lock`);
  // A primary of before a failover may still have what is long gone.
  const [role] = (await redis.role()) as [string];
  const found = lists.filter((_, index) => places[index] !== null).join() || 'nowhere';
  return `${found} of a ${role}, ${JSON.stringify({ ...life, lockedMs })}`;
}

async function keysOfMaster(redis: Redis): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>) {
    for (const key of keys) {
      if (CLOCK.test(key)) {
        const where = await whereaboutsOf(redis, key);
        found.push(`a clock is left: ${key}, due in, or found in: ${where}`);
      } else if (JUDGED.test(key)) {
        const waiting = await redis.xlen(key);
        if (waiting > 0) found.push(`${waiting} judged answers are not written: ${key}`);
      } else if (!QUEUE_KEYS.test(key) && (await redis.pttl(key)) === -1)
        found.push(`a key has no end: ${key}`);
    }
  }
  return found;
}

async function runningGames({ services }: Stage): Promise<string[]> {
  const running = await services.db.lobby.count({ where: { status: 'running' } });
  return running === 0 ? [] : [`${running} games still run`];
}

/** @returns what is true of PostgreSQL at any time: no more connections than the pools allow */
export async function backendsTooMany({ services, backendsMax }: Stage): Promise<string[]> {
  const own = services.config.database.poolMax;
  const rows = await services.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`;
  const count = Number(rows[0]?.count ?? 0);
  return count <= backendsMax + own ? [] : [`PostgreSQL has ${count} connections`];
}
