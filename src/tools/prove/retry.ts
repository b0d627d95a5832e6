// Retries requests as clients do: a 503, a lost connection or a short rate limit is tried again. It also limits how
// many are in flight.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, createClient } from '../../client/index.ts';

const RETRY_MS = 100;
/** The longest wait for a request or for the end of a game, ms. Beyond it the run reports a violation. */
export const GIVE_UP_MS = 180_000;
/** The longest Retry-After that is waited for, ms. A rate limiter that asks for more counts as a refusal. */
const RETRY_AFTER_MAX_MS = 10_000;

/** What a client needs to ask again. */
export interface ClientContext {
  url: string;
  /** Aborts the run; every wait ends at once. */
  signal: AbortSignal;
  /** Is called for an error that no outage explains. */
  onTrouble(text: string): void;
}

/**
 * Repeats a request while the service is unavailable.
 * @param what names the request in reports
 * @throws ApiError, whose message begins with `what`, if the service refuses the request for good
 */
export async function retryUntilGranted<T>(deps: ClientContext, what: string, ask: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, requestId, retryAfterMs = RETRY_MS } = error;
      if (status === 500) deps.onTrouble(`${what}: ${status} ${code} ${message} (${requestId})`);
      const isBrief = status === 429 && retryAfterMs <= RETRY_AFTER_MAX_MS;
      const isPassing = error.isPassing || isBrief || status === 500;
      if (!isPassing || performance.now() - startedMs > GIVE_UP_MS)
        throw new ApiError(status, code, `${what}: ${message}`, error);
      await sleep(Math.max(RETRY_MS, retryAfterMs), undefined, { signal: deps.signal });
    }
  }
}

/** Handles one refusal that is no failure, such as that of a removal whose first request had lost its reply. */
export const ignore = (code: string) => (error: ApiError) => {
  if (error.code !== code) throw error;
};

/** @returns the client of a user, whose every method asks again while the service is unavailable */
export function patientClient(deps: ClientContext, { cookie }: { cookie: string }): Client {
  const { lobby, cookie: _, ...methods } = createClient({ baseUrl: deps.url, cookie });
  const patientMethods = Object.entries(methods).map(([name, method]) => {
    const ask = method as (...args: unknown[]) => Promise<unknown>;
    const what = (args: unknown[]) => [name, ...args.filter((one) => typeof one === 'string')].join(' ');
    return [name, (...args: unknown[]) => retryUntilGranted(deps, what(args), () => ask(...args))];
  });
  return { ...Object.fromEntries(patientMethods), lobby };
}

/** The number of calls in flight. More would look like a flood to the service's rate limiters. */
const CONCURRENCY = 10;

/**
 * Calls `act` for every item, a few at a time. After a failure it starts no further call, waits for those in flight,
 * and rejects with the first error. p-map does not wait, so that what those have done could not be undone.
 */
export async function forEachLimited<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  // An iterator with a step of its own is closed by the first loop that fails, so that all others end.
  const queue = items.values().take(items.length);
  async function work(): Promise<void> {
    for (const item of queue) await act(item);
  }
  const works = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  const failed = works.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
