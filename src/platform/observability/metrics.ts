// The metrics of the process, for Prometheus. A metric is declared at module level, in the file whose code it measures.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../outages/outage.ts';

const registry = new Registry();
const registers = [registry];
let hasDefaults = false;

/** The readings of a scrape end after this many ms; a gauge that is not read by then keeps its old value. */
const READ_TIMEOUT_MS = 2500;

const readings = new Set<() => Promise<unknown>>();

/** @param labelNames keep the number of their values small */
export function counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Counter({ name, help, labelNames, registers });
}

export function gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Gauge({ name, help, labelNames, registers });
}

/** @param buckets upper bounds, in the unit that `name` ends with (seconds for times) */
export function histogram<Label extends string>(
  name: string,
  help: string,
  buckets: readonly number[],
  labelNames: readonly Label[] = [],
) {
  return new Histogram({ name, help, labelNames, buckets: [...buckets], registers });
}

/** Calls `read` at each scrape. Its failures are ignored, so that it first removes the gauges that it may not set. */
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
