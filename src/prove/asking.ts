// Asks until it is granted, as clients do: what a store or a replica is away for is asked once more.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../client/index.ts';

const RETRY_MS = 100;
/** Whoever waits so long for the end of a game of seconds, waits for ever. */
export const GIVE_UP_MS = 180_000;
/** A limiter that asks for more says no. */
const PATIENCE_MS = 10_000;

export interface Asking {
  /** The run is being ended: everything stops where it is. */
  signal: AbortSignal;
  /** Something that no outage explains. */
  onTrouble(text: string): void;
}

/**
 * @param what is asked for, in words
 * @param onRetry called before it is asked once more: what was asked may have been done all the same
 * @throws ApiError when it is refused for good
 */
export async function untilGranted<T>(
  { signal, onTrouble }: Asking,
  what: string,
  ask: () => Promise<T>,
  onRetry: () => void = () => {},
): Promise<T> {
  const startedMs = Date.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, requestId, retryAfterMs = RETRY_MS } = error;
      const isBrief = error.isPassing || (status === 429 && retryAfterMs <= PATIENCE_MS);
      if (status === 500) {
        onTrouble(`${what}: ${status} ${code} ${message} (${requestId})`);
      } else if (!isBrief) throw error;
      if (Date.now() - startedMs > GIVE_UP_MS) throw error;
      onRetry();
      await sleep(Math.max(RETRY_MS, retryAfterMs), undefined, { signal });
    }
  }
}
