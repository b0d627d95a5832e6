// The end of a process: the first signal ends it gently, a second one or the deadline at once; what
// nobody caught ends it with a line that says so.
import type { Logger } from './logger.ts';

const STOP_DEADLINE_MS = 25_000;

/** One Ctrl-C reaches a process twice: from the terminal, and from the npm that started it. */
const SAME_SIGNAL_MS = 500;

/**
 * Runs `stop` at the first SIGTERM or SIGINT and then exits 0.
 * @param stop finishes what is under way; its failure exits 1
 */
export function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
      logger.warn({ signal }, 'second signal: stopping at once');
      process.exit(1);
    }
    stoppingSince = performance.now();
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('not stopped in time: stopping at once');
      process.exit(1);
    }, STOP_DEADLINE_MS).unref();
    stop().then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Logs what nobody caught before it ends the process: its state can't be trusted any more. */
export function exitOnCrash(logger: Logger): void {
  process.on('uncaughtException', (error) => exitWith(logger, 'crashed', error));
}

/** Ends the process because it can't do its work; `message` says why. */
export function exitWith(logger: Logger, message: string, error?: unknown): never {
  logger.fatal(error === undefined ? {} : { err: error }, message);
  process.exit(1);
}
