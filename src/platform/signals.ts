// Ends a process. The first signal stops it in an orderly way; a second one, or the deadline, exits at once.
import type { Logger } from './observability/logger.ts';

/** An orderly stop that takes longer is cut off. */
const STOP_DEADLINE_MS = 25_000;
/** A second signal counts as the same one for so long: Ctrl-C arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/** Runs `stop` at the first SIGTERM or SIGINT, and then exits with 0, or with 1 where it fails. */
export function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const onSignal = async (signal: NodeJS.Signals) => {
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
    try {
      await stop();
      logger.info('stopped');
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

export function exitOnCrash(logger: Logger): void {
  process.on('uncaughtException', (error) => exitWith(logger, 'crashed', error));
}

/** Logs why the process can't do its work. */
export function exitWith(logger: Logger, message: string, error?: unknown): never {
  logger.fatal(error === undefined ? {} : { err: error }, message);
  process.exit(1);
}
