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
/** The limits of one body. */
const LIMITS = {
  /** On an idle machine the slowest body of 4 MiB takes a tenth of this time, so that beyond it the machine is busy. */
  timeMs: 5000,
  /** The thread's heap in MiB, a third of which a list of the longest texts takes. Beyond it a body is too large. */
  heapMaxMib: 128,
};
const YOUNG_HEAP_MAX_MIB = 16;
/** The time, in ms, after which an idle thread is ended to free its memory. */
const IDLE_MS = 60_000;

export type ListChecker = ReturnType<typeof createListChecker>;

/** Creates a checker. Its thread is started by the first body, and after its end by the next one. */
export function createListChecker(limits = LIMITS) {
  const inTurn = createConcurrencyLimit({ max: 1, maxPerKey: 1 });
  let thread: Promise<Worker> | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = await thread?.catch(() => undefined);
    thread = undefined;
    await ended?.terminate();
  }

  function start(): Promise<Worker> {
    const started = startThread(limits.heapMaxMib);
    const forget = () => {
      if (thread === started) thread = undefined;
    };
    started.then((worker) => worker.once('exit', forget), forget);
    return started;
  }

  async function judge(body: Uint8Array): Promise<ListVerdict> {
    clearTimeout(idle);
    thread ??= start();
    try {
      const worker = await thread;
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
      const verdict = await inTurn('the thread', () => judge(body));
      if ('list' in verdict) return verdict.list;
      const { code, message, errors } = verdict.refusal;
      throw new AppError(code, message, { errors });
    },
    stop: end,
  };
}

/** @throws AppError UNAVAILABLE, or what ended the thread */
async function startThread(heapMaxMib: number): Promise<Worker> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMaxMib, maxYoungGenerationSizeMb: YOUNG_HEAP_MAX_MIB };
  // Node.js doesn't accept all flags of a process for a thread.
  const thread = new Worker(THREAD, { resourceLimits, execArgv: [] });
  // An idle thread must not prevent the process from exiting.
  thread.unref();
  // `nextMessage` throws errors. One between two bodies, such as that of a terminated thread that is out of memory,
  // must not end the process.
  thread.on('error', () => {});
  try {
    // The first message says that the thread is ready. Its start doesn't count towards a body's time.
    await nextMessage(thread, START_TIMEOUT_MS);
    return thread;
  } catch (error) {
    await thread.terminate();
    throw error;
  }
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
