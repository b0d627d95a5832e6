// Runs background tasks under names. Only one task of a name runs at a time, so that tasks that wait for a
// store don't pile up.
import type { Logger } from '../platform/observability/logger.ts';
import { logFailure } from '../platform/outages/outage-log.ts';

export interface NamedTasks {
  /** Starts the task, unless one of this name is running. A failure is logged. */
  start(name: string, task: () => Promise<unknown>): void;
  /** Resolves when no task is running any more, those included that tasks have started. */
  finished(): Promise<void>;
}

/** @param failure the log line of a failed task */
export function createNamedTasks(logger: Logger, failure: string): NamedTasks {
  const running = new Map<string, Promise<void>>();

  async function run(name: string, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      logFailure(logger, 'error', error, failure, { name });
    } finally {
      running.delete(name);
    }
  }

  return {
    start(name, task) {
      if (!running.has(name)) running.set(name, run(name, task));
    },
    async finished() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
