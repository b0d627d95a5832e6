// Whether the stores answer this process, and take writes: for health, the metrics and the log, which
// share one look. Each process says so for itself, so that one can tell a store that is down from a
// node that is cut off. [contract 18]
import type { Logger } from './logger.ts';
import { gauge, readOnScrape } from './metrics.ts';
import { refusalOf } from './outage.ts';
import { withTimeout } from './timeout.ts';

/** `read_only`: it answers, and refuses writes, for whatever reason. */
export const STORE_STATES = ['ok', 'read_only', 'down'] as const;
export type StoreState = (typeof STORE_STATES)[number];

export type StoreName = 'postgres' | 'redis';
export type StoreStates = Record<StoreName, StoreState>;

/** Asks a store; rejects when it is away, or would refuse a write. */
export type StoreProbes = Record<StoreName, () => Promise<unknown>>;

export interface StoreChecks {
  /** As they are now, or were half a second ago; a second at most, and never rejects. */
  look(): Promise<StoreStates>;
  /** Whether both have ever answered this process. */
  wereReached(): boolean;
  stop(): void;
}

const up = gauge('quiz_store_up', 'Whether a store answers this process: 1, or 0.', ['store']);
const writable = gauge(
  'quiz_store_writable',
  'Whether a store that answers takes writes: 1, or 0; nothing while it does not answer.',
  ['store'],
);

const answerTime = gauge(
  'quiz_store_answer_seconds',
  'How long a store took to answer this process, in the last look; nothing while it does not answer.',
  ['store'],
);

const TIMEOUT_MS = 1000;
/** Two looks a second at most, however many ask. */
const LIFETIME_MS = 500;
/** Also when nobody asks: for the log, and for a replica that waits for its stores. */
const WATCH_EVERY_MS = 2000;
/** So long a new process may take to connect, before the log calls a store away that has never answered. */
const CONNECTING_MS = 2500;

interface Finding {
  state: StoreState;
  tookMs: number;
  /** Why it refuses, in the store's own word. */
  reason?: string;
  error?: unknown;
}

/** Looks at once, every two seconds, and whenever it is asked or the metrics are read. */
export function createStoreChecks(probes: StoreProbes, logger: Logger): StoreChecks {
  const said: StoreStates = { postgres: 'ok', redis: 'ok' };
  const answered = new Set<StoreName>();
  const startedAt = performance.now();
  let wereReached = false;
  let isStopped = false;

  async function lookAt(store: StoreName): Promise<StoreState> {
    const finding = await ask(probes[store]);
    if (isStopped) return finding.state;
    tell(store, finding);
    if (finding.state !== 'down') answered.add(store);
    else if (!answered.has(store) && performance.now() - startedAt < CONNECTING_MS) return 'down';
    if (finding.state !== said[store]) say(logger, store, finding);
    said[store] = finding.state;
    return finding.state;
  }

  const look = shared(async () => {
    const [postgres, redis] = await Promise.all([lookAt('postgres'), lookAt('redis')]);
    wereReached ||= postgres !== 'down' && redis !== 'down';
    return { postgres, redis };
  });

  void look();
  const watching = setInterval(() => void look(), WATCH_EVERY_MS).unref();
  const stopReading = readOnScrape(async () => void (await look()));
  return {
    look,
    wereReached: () => wereReached,
    stop() {
      isStopped = true;
      clearInterval(watching);
      stopReading();
    },
  };
}

async function ask(probe: () => Promise<unknown>): Promise<Finding> {
  const startedMs = performance.now();
  const took = () => performance.now() - startedMs;
  try {
    await withTimeout(probe(), TIMEOUT_MS);
    return { state: 'ok', tookMs: took() };
  } catch (error) {
    const reason = refusalOf(error);
    const tookMs = took();
    return reason ? { state: 'read_only', tookMs, reason } : { state: 'down', tookMs, error };
  }
}

function tell(store: StoreName, { state, tookMs }: Finding): void {
  const answers = state !== 'down';
  up.set({ store }, answers ? 1 : 0);
  if (answers) {
    writable.set({ store }, state === 'ok' ? 1 : 0);
    answerTime.set({ store }, tookMs / 1000);
  } else for (const metric of [writable, answerTime]) metric.remove({ store });
}

/** One line when an outage begins, changes or ends, whatever it costs meanwhile. */
function say(logger: Logger, store: StoreName, { state, reason, error }: Finding): void {
  if (state === 'ok') logger.info({ store }, 'a store is well again');
  else if (state === 'read_only') logger.error({ store, reason }, 'a store refuses writes');
  else logger.error({ store, err: error }, 'a store does not answer');
}

/** Calls `fn` again only when its last call has ended and began a while ago. */
function shared<T>(fn: () => Promise<T>): () => Promise<T> {
  let last: { startedAt: number; isRunning: boolean; result: Promise<T> } | undefined;
  return () => {
    if (last && (last.isRunning || performance.now() - last.startedAt < LIFETIME_MS))
      return last.result;
    const call = { startedAt: performance.now(), isRunning: true, result: fn() };
    const ended = () => {
      call.isRunning = false;
    };
    call.result.then(ended, ended);
    last = call;
    return call.result;
  };
}
