// The metrics of the process, for Prometheus. A metric is declared at module level, in the file whose code it measures.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../outages/outage.ts';

const registry = new Registry();
let hasDefaults = false;

/** The readings of a scrape end after this many ms; a gauge that is not read by then keeps its old value. */
const READ_TIMEOUT_MS = 2500;

const readings = new Set<() => Promise<unknown>>();

/** @param labels the names of its labels; keep the number of their values small */
export function counter<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] });
}

/** @param labels the names of its labels; keep the number of their values small */
export function gauge<Label extends string>(name: string, help: string, labels: readonly Label[] = []): Gauge<Label> {
  return new Gauge({ name, help, labelNames: labels, registers: [registry] });
}

/** @param buckets upper bounds, in the unit that `name` ends with (seconds for times) */
export function histogram<Label extends string>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] });
}

/**
 * Calls `read` at each scrape, to set gauges whose values nobody reports otherwise. A failure of `read` is ignored,
 * since metrics matter most while a store is away. So `read` first removes the gauges that it may fail to set.
 * @returns a function that ends the readings
 */
export function readOnScrape(read: () => Promise<unknown>): () => void {
  readings.add(read);
  return () => void readings.delete(read);
}

/** @returns all metrics in the text format of Prometheus, including the default metrics of Node.js */
export async function renderMetrics(): Promise<{ contentType: string; text: string }> {
  if (!hasDefaults) collectDefaultMetrics({ register: registry });
  hasDefaults = true;
  const read = Promise.allSettled([...readings].map((reading) => reading()));
  await withTimeout(read, READ_TIMEOUT_MS).catch(() => {});
  return { contentType: registry.contentType, text: await registry.metrics() };
}
