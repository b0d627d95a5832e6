// Waits until a replica answers its health checks, since a started process may still be loading.
import { until } from './until.ts';

const INTERVAL_MS = 50;
const REQUEST_TIMEOUT_MS = 2_000;
const TIMEOUT_MS = 60_000;

/**
 * @param baseUrl the address of the replica
 * @throws Error with the last answer, when the replica is not healthy within a minute
 */
export async function waitUntilHealthy(baseUrl: string, signal: AbortSignal): Promise<void> {
  for (const path of ['/api/health/live', '/api/health']) {
    let answer = '';
    const isHealthy = async () => {
      answer = await status(`${baseUrl}${path}`);
      signal.throwIfAborted();
      return answer === '200';
    };
    if (!(await until(isHealthy, TIMEOUT_MS, INTERVAL_MS)))
      throw new Error(`GET ${baseUrl}${path} does not answer 200 but: ${answer}`);
  }
}

async function status(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return (error as Error).message;
  }
}
