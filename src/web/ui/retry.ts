// Retries requests that must not be lost while the network or the service is away.
import { ApiError } from '../../client/api-error.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;

interface RetryOptions {
  /** Called before each pause. */
  onWaiting(): void;
  /** Ends the retries; the promise then never settles. */
  signal: AbortSignal;
}

/**
 * Repeats a request with exponential backoff, and at once when the network is back.
 * @throws ApiError if the service refuses the request
 */
export async function retry<T>(request: () => Promise<T>, { onWaiting, signal }: RetryOptions): Promise<T> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError && error.isPassing)) throw error;
    }
    onWaiting();
    await pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
  }
  return new Promise<never>(() => {});
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, durationMs);
    addEventListener('online', done);
  });
}
