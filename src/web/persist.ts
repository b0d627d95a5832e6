// Goes on asking until there is an answer: for what must not be lost when the network is.
import { ApiError } from '../client/api-error.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;

export interface Persistence {
  /** Told before each pause. */
  onWaiting(): void;
  /** Ends the asking; the promise then never settles. */
  signal: AbortSignal;
}

/**
 * Repeats a request that can't be answered now, at once when the network is back.
 * @throws ApiError when it is refused
 */
export async function persist<T>(
  request: () => Promise<T>,
  { onWaiting, signal }: Persistence,
): Promise<T> {
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
