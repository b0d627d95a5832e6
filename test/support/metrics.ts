// Reads the metrics of this process.
import { renderMetrics } from '../../src/platform/observability/metrics.ts';

/** @returns the samples of a text format: values by name with labels */
export function samplesIn(text: string): Record<string, number> {
  const samples = text.matchAll(/^([^#\n].*) (\S+)$/gm);
  return Object.fromEntries(samples.map(([, name, value]) => [name, Number(value)]));
}

/** @returns the samples of all metrics, as a scrape would get them */
export const readMetrics = async () => samplesIn((await renderMetrics()).text);
