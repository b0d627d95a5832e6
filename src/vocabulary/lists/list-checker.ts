// Checks the bodies of lists in a worker thread, one at a time, with limits of time and memory. Neither a
// hostile body nor a long list blocks the event loop. [contract 17]
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { createConcurrencyLimit } from '../../platform/overload/concurrency-limit.ts';
import type { CheckedList, ListVerdict } from './check-list.ts';

/** The thread's file has the extension of this one, which is `.js` in the image. */
const THREAD = new URL(`check-list${extname(import.meta.url)}`, import.meta.url);

/** The time, in ms, in which the thread must load its modules. A busy machine takes several seconds. */
const START_TIMEOUT_MS = 30_000;
const LIMITS = {
  /** On an idle machine the slowest body of 4 MiB takes a tenth of this time. */
  timeMs: 5000,
  /** The thread's heap in MiB, a third of which a list of the longest texts takes. Beyond it a body is too large. */
  heapMaxMib: 128,
};
const YOUNG_HEAP_MAX_MIB = 16;
/** The time, in ms, after which an idle thread is ended to free its memory. */
const IDLE_MS = 60_000;

export type ListChecker = ReturnType<typeof createListChecker>;

/** Creates a checker, whose thread is started by the first body, and after its end by the next one. */
export function createListChecker(limits = LIMITS) {
  const inTurn = createConcurrencyLimit({ max: 1, maxPerKey: 1 });
  let thread: ReturnType<typeof startThread> | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.worker.terminate();
  }

  function start() {
    const started = startThread(limits.heapMaxMib);
    // One that dies between two bodies is replaced for the next one.
    started.worker.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  async function judge(body: Uint8Array): Promise<ListVerdict> {
    clearTimeout(idle);
    thread ??= start();
    try {
      const { worker, ready } = thread;
      // The start doesn't count towards the body's time.
      await ready;
      const copy = new Uint8Array(body);
      worker.postMessage(copy, [copy.buffer]);
      return (await nextMessage(worker, limits.timeMs)) as ListVerdict;
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  }

  return {
    /**
     * @throws AppError INVALID_JSON, VALIDATION_FAILED; PAYLOAD_TOO_LARGE when the body takes too much memory;
     *   UNAVAILABLE when it waits or takes too long, or when the thread doesn't start in time
     */
    async check(body: Uint8Array): Promise<CheckedList> {
      const { list, refusal } = await inTurn('the thread', () => judge(body));
      if (list) return list;
      throw new AppError(refusal.code, refusal.message, refusal);
    },
    stop: end,
  };
}

function startThread(heapMaxMib: number) {
  const resourceLimits = { maxOldGenerationSizeMb: heapMaxMib, maxYoungGenerationSizeMb: YOUNG_HEAP_MAX_MIB };
  // Node.js doesn't accept all flags of a process for a thread.
  const worker = new Worker(THREAD, { resourceLimits, execArgv: [] });
  // An idle thread must not prevent the process from exiting.
  worker.unref();
  // `nextMessage` throws errors. One between two bodies must not end the process.
  worker.on('error', () => {});
  return { worker, ready: nextMessage(worker, START_TIMEOUT_MS) };
}

/** @throws AppError UNAVAILABLE when no message arrives in time, PAYLOAD_TOO_LARGE, or what else ended the thread */
async function nextMessage(thread: Worker, timeMs: number): Promise<unknown> {
  try {
    const [message] = await once(thread, 'message', { signal: AbortSignal.timeout(timeMs) });
    return message;
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    if (name === 'AbortError') throw new AppError('UNAVAILABLE');
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new AppError('PAYLOAD_TOO_LARGE', 'The list takes too much memory to check.');
  }
}
