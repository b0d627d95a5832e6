// The sessions in Redis, so that a request is authenticated without PostgreSQL. PostgreSQL stays
// the truth: what Redis has lost is read again, what it holds is checked every few minutes, and
// while PostgreSQL is away nobody is signed out. [contract 6]
import { Cluster } from 'ioredis';
import { COUNT, type Count } from '../http/limiter-store.ts';
import { counter } from '../platform/metrics.ts';
import { isOutage } from '../platform/outage.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';

const writeScript = loadScript(new URL('lua/write-session.lua', import.meta.url));
const readAndCountScript = loadScript(COUNT, new URL('lua/read-and-count.lua', import.meta.url));

const reads = counter(
  'quiz_session_reads_total',
  'Sessions read, from Redis (hit) or, because it had none or an old one, PostgreSQL (reload).',
  ['result'],
);

/** How long a copy is believed before PostgreSQL is asked again: heals an end that was missed. */
const FRESH_MS = 5 * 60_000;

/** What stands in a removed session's place, for longer than any write can be under way. */
const REMOVED = '';
const REMOVED_SECONDS = 60;

/** A session as Redis holds it. */
export interface SessionCopy {
  /** Until when it is believed, ms, with a random fraction: no two copies have the same. */
  version: string;
  /** The JSON text `{ session, user }` that better-auth reads and writes. */
  json: string;
}

/** A request to be counted while the session is read. */
export interface CountWith {
  /** The counter of the session's user, known from an earlier copy: the user never changes. */
  key: string;
  windowMs: number;
}

/** What is known of the sessions, by their tokens. */
export interface SessionCache {
  /** @returns the session of `token`, or null when there is none; it may have expired. */
  read(token: string): Promise<SessionCopy | null>;
  /**
   * As `read`, and in the same step counts the request, if there is a session.
   * @param known the copy that the caller has; the same object is returned while it still holds
   * @returns `counted` is missing on a Redis Cluster, where no step can touch both
   */
  readAndCount(
    token: string,
    known: SessionCopy,
    count: CountWith,
  ): Promise<{ copy: SessionCopy | null; counted?: Count }>;
  /** @param ttlSeconds what remains of the session's life */
  write(token: string, json: string, ttlSeconds: number): Promise<void>;
  /** Takes effect on every replica at once. */
  remove(token: string): Promise<void>;
}

/** @param redis a connection of role `commands` */
export function createSessionCache(redis: RedisClient, db: Database): SessionCache {
  const keyOf = (token: string) => `auth:session:${token}`;

  async function write(token: string, json: string, ttlSeconds: number): Promise<void> {
    const copy = textOf({ version: newVersion(), json });
    await runScript(redis, writeScript, [keyOf(token)], [copy, ttlSeconds]);
  }

  async function remove(token: string): Promise<void> {
    await redis.set(keyOf(token), REMOVED, 'EX', REMOVED_SECONDS);
  }

  async function reload(token: string): Promise<SessionCopy | null> {
    reads.inc({ result: 'reload' });
    const row = await db.session.findUnique({ where: { token }, include: { user: true } });
    const ttlSeconds = row ? Math.ceil((row.expiresAt.getTime() - Date.now()) / 1000) : 0;
    if (!row || ttlSeconds <= 0) {
      await remove(token);
      return null;
    }
    const { user, ...session } = row;
    const copy = { version: newVersion(), json: JSON.stringify({ session, user }) };
    await runScript(redis, writeScript, [keyOf(token)], [textOf(copy), ttlSeconds]);
    return copy;
  }

  /** What is too old to be believed is compared with PostgreSQL, if that can be asked. */
  async function believe(token: string, copy: SessionCopy): Promise<SessionCopy | null> {
    if (Number(copy.version) > Date.now()) {
      reads.inc({ result: 'hit' });
      return copy;
    }
    try {
      return await reload(token);
    } catch (error) {
      if (isOutage(error)) return copy;
      throw error;
    }
  }

  async function judge(token: string, text: string | null): Promise<SessionCopy | null> {
    if (text === REMOVED) return null;
    return text === null ? reload(token) : believe(token, copyOf(text));
  }

  const read = async (token: string) => judge(token, await redis.get(keyOf(token)));

  return {
    read,
    async readAndCount(token, known, { key, windowMs }) {
      if (redis instanceof Cluster) return { copy: await read(token) };
      const keys = [keyOf(token), key];
      const args = [known.version, windowMs];
      const reply = (await runScript(redis, readAndCountScript, keys, args)) as string | null;
      if (!reply) return { copy: await judge(token, reply) };
      const ttlAt = reply.indexOf(' ') + 1;
      const textAt = reply.indexOf(' ', ttlAt) + 1;
      const text = reply.slice(textAt);
      const copy = text === '1' ? believe(token, known) : judge(token, text);
      const counted = {
        current: Number.parseInt(reply, 10),
        ttl: Number(reply.slice(ttlAt, textAt)),
      };
      return { copy: await copy, counted };
    },
    write,
    remove,
  };
}

function newVersion(): string {
  return (Date.now() + FRESH_MS + Math.random()).toFixed(4);
}

const textOf = ({ version, json }: SessionCopy) => `${version} ${json}`;

function copyOf(text: string): SessionCopy {
  const end = text.indexOf(' ');
  return { version: text.slice(0, end), json: text.slice(end + 1) };
}
