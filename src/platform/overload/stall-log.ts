// Logs that this process did not run for a while: it was stopped, the machine gave it no time, or one turn of the event
// loop took that long. Nothing can be logged meanwhile, and without this line an operator sees only the effects.
import type { Logger } from '../observability/logger.ts';

/** How often the process notes that it runs, in ms. */
const NOTE_EVERY_MS = 500;
/** A shorter pause is not logged; the metrics of the event loop show it, ms. */
const LOG_FROM_MS = 3000;

/** @returns a function that ends the watch */
export function logStalls(logger: Pick<Logger, 'warn'>): () => void {
  let ranAtMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const durationMs = Math.round(nowMs - ranAtMs);
    ranAtMs = nowMs;
    if (durationMs >= LOG_FROM_MS) logger.warn({ durationMs }, 'this process did not run');
  }, NOTE_EVERY_MS).unref();
  return () => clearInterval(timer);
}
