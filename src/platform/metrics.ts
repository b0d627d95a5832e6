// The process's metrics, for Prometheus. Whoever measures something declares it beside the code
// that it measures, at module level:
//
//     const answers = counter('quiz_answers_total', 'Judged answers.', ['mode']);
//     answers.inc({ mode: 'single' });
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from './timeout.ts';

const registry = new Registry();
let hasDefaults = false;

/** How long all readings of a scrape may take; what is not read by then keeps its old value. */
const READ_TIMEOUT_MS = 2500;

const readings = new Set<() => Promise<void>>();

/** @param labels the names of its labels; keep the number of their values small */
export function counter<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] });
}

/** @param labels the names of its labels; keep the number of their values small */
export function gauge<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): Gauge<Label> {
  return new Gauge({ name, help, labelNames: labels, registers: [registry] });
}

/** @param buckets upper bounds, in the unit that `name` ends with (seconds for times) */
export function histogram<Label extends string>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): Histogram<Label> {
  return new Histogram({
    name,
    help,
    labelNames: labels,
    buckets: [...buckets],
    registers: [registry],
  });
}

/**
 * Has `read` set its gauges whenever the metrics are asked for, since nothing else would tell them.
 * It should take away first what it may not be able to set: its failure is not an error, since
 * metrics matter most while a store is away.
 * @returns what ends it
 */
export function readOnScrape(read: () => Promise<void>): () => void {
  readings.add(read);
  return () => void readings.delete(read);
}

/** @returns all metrics in Prometheus' text format, those of the process included */
export async function renderMetrics(): Promise<{ contentType: string; text: string }> {
  if (!hasDefaults) collectDefaultMetrics({ register: registry });
  hasDefaults = true;
  const read = Promise.allSettled([...readings].map((reading) => reading()));
  await withTimeout(read, READ_TIMEOUT_MS).catch(() => {});
  return { contentType: registry.contentType, text: await registry.metrics() };
}
