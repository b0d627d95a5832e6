// Checks whether the stores answer this process and take writes. Health, metrics and the log share one check, and each
// process reports its own, so that an operator can tell a store that is down from a node without it. [contract 18]
import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../observability/logger.ts';
import { gauge, readOnScrape } from '../observability/metrics.ts';
import type { Database } from '../postgres/postgres.ts';
import { mastersOf, type RedisClient } from '../redis/redis.ts';
import { refusalOf, type StoreName, withTimeout } from './outage.ts';
import { noteAway } from './outage-log.ts';

/** A store that answers and refuses writes is `read_only`, whatever its reason. */
export const STORE_STATES = ['ok', 'read_only', 'down'] as const;
type StoreState = (typeof STORE_STATES)[number];

/** They reject when the store is away, or would refuse a write. */
export type StoreProbes = Record<StoreName, () => Promise<unknown>>;
export type StoreChecks = ReturnType<typeof createStoreChecks>;

const up = gauge('quiz_store_up', 'Whether a store answers this process: 1, or 0.', ['store']);
// These two have no value while the store does not answer.
const writable = gauge('quiz_store_writable', 'Whether a store that answers takes writes: 1, or 0.', ['store']);
const answerTime = gauge('quiz_store_answer_seconds', 'How long a store took to answer the last check.', ['store']);

/** A store that does not answer for so long is `down`. */
const TIMEOUT_MS = 1000;
/** A result is given out for so long, so that the stores are asked at most twice a second. */
const LIFETIME_MS = 500;
/** The log and a replica that starts need checks also when nobody asks. */
const CHECK_EVERY_MS = 2000;
/** A store that is down for fewer ms is not logged, since a process that starts or is busy also delays replies. */
const LOG_DOWN_AFTER_MS = 4000;

export function createStoreChecks(probes: StoreProbes, logger: Logger) {
  let wereReached = false;
  let isStopped = false;

  /** The check reports a store's state to the metrics and the log. */
  function createCheck(store: StoreName): () => Promise<StoreState> {
    let logged: StoreState = 'ok';
    let downSinceMs: number | undefined;
    return async () => {
      const startedMs = performance.now();
      const error: unknown = await withTimeout(probes[store](), TIMEOUT_MS).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const nowMs = performance.now();
      const reason = refusalOf(error);
      const failure = reason ? 'read_only' : 'down';
      const state = error === undefined ? 'ok' : failure;
      if (isStopped) return state;
      const isDown = state === 'down';
      up.set({ store }, isDown ? 0 : 1);
      writable.set({ store }, state === 'ok' ? 1 : 0);
      answerTime.set({ store }, (nowMs - startedMs) / 1000);
      if (isDown) for (const metric of [writable, answerTime]) metric.remove({ store });
      if (state !== 'ok') noteAway(store);
      downSinceMs = isDown ? (downSinceMs ?? startedMs) : undefined;
      const isBrief = downSinceMs !== undefined && nowMs - downSinceMs < LOG_DOWN_AFTER_MS;
      if (isBrief || state === logged) return state;
      logged = state;
      if (state === 'ok') logger.info({ store }, 'a store is available again');
      else if (state === 'read_only') logger.error({ store, reason }, 'a store refuses writes');
      else logger.error({ store, err: error }, 'a store does not answer');
      return state;
    };
  }

  const checkPostgres = createCheck('postgres');
  const checkRedis = createCheck('redis');
  async function checkBoth() {
    const [postgres, redis] = await Promise.all([checkPostgres(), checkRedis()]);
    wereReached ||= postgres !== 'down' && redis !== 'down';
    return { postgres, redis };
  }

  let last: ReturnType<typeof checkBoth> | undefined;
  let freshUntilMs = 0;
  /** Shares a running check, and for `LIFETIME_MS` from its beginning its result, with all callers. */
  function look() {
    const nowMs = performance.now();
    if (last && nowMs < freshUntilMs) return last;
    freshUntilMs = Number.POSITIVE_INFINITY;
    last = checkBoth().finally(() => {
      freshUntilMs = nowMs + LIFETIME_MS;
    });
    return last;
  }

  void look();
  const checking = setInterval(() => void look(), CHECK_EVERY_MS).unref();
  const stopReading = readOnScrape(async () => void (await look()));
  return {
    /** @returns states that are at most half a second old; it takes at most a second and never rejects */
    look,
    /** Whether both stores have ever answered this process. */
    wereReached: () => wereReached,
    stop(): void {
      isStopped = true;
      clearInterval(checking);
      stopReading();
    },
  };
}

/**
 * Redis refuses it exactly when it would refuse a write, since a script without flags may write
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags).
 */
const MAY_WRITE = '#!lua\nreturn 1';

/** How Redis counts the writes that it has refused, by reason: `errorstat_OOM:count=3`. */
const REFUSED = /^errorstat_(NOREPLICAS|OOM|READONLY|MISCONF):count=(\d+)/gm;
/** A master that has refused a write counts as read-only for so many ms. [contract 18: gone within 5 s] */
const REFUSAL_COUNTS_MS = 2500;

export function createStoreProbes({ db, redis }: { db: Database; redis: RedisClient }): StoreProbes {
  /** The counters of a master's refusals by reason, and which of them has risen last. */
  const refusals = new WeakMap<
    Redis,
    { counts: Map<string, number>; last: { reason: string; atMs: number } | undefined }
  >();

  /**
   * A Redis whose memory is nearly full refuses large writes and takes small ones like the script: the memory that a
   * command itself takes counts too. Its own counters tell that it has refused writes, whoever sent them.
   */
  async function probeMaster(master: Redis): Promise<void> {
    const [info] = await Promise.all([master.info('errorstats'), master.eval(MAY_WRITE, 0)]);
    const counts = new Map(Array.from(info.matchAll(REFUSED), ([, reason = '', count]) => [reason, Number(count)]));
    const before = refusals.get(master);
    const risen = before && [...counts].find(([reason, count]) => count > (before.counts.get(reason) ?? 0));
    const last = risen ? { reason: risen[0], atMs: performance.now() } : before?.last;
    refusals.set(master, { counts, last });
    if (last && performance.now() - last.atMs < REFUSAL_COUNTS_MS)
      throw new Error(`${last.reason} Redis has refused another write`);
  }

  return {
    /**
     * Fails where a write would fail: on a read-only connection, which the pool then closes, and on a full disk, where
     * PostgreSQL can't write the temporary file for rows beyond the smallest `work_mem`.
     */
    postgres: () => db.$executeRaw`
      DO $$ BEGIN
        IF current_setting('transaction_read_only')::boolean THEN
          RAISE read_only_sql_transaction;
        END IF;
        PERFORM set_config('work_mem', '64kB', true);
        PERFORM count(*) FROM generate_series(1, 3000);
      END $$`,
    /** Rejects when one master refuses, or a hash slot has none, since the lobbies whose keys it has stand still. */
    async redis() {
      await Promise.all((await mastersOf(redis)).map(probeMaster));
      if (!(redis instanceof Cluster)) return;
      // Every master refuses all commands with a key then, unless it is set otherwise.
      if (!String(await redis.cluster('INFO')).includes('cluster_state:ok')) throw new Error('CLUSTERDOWN');
    },
  };
}
