// The user's progress. The service counts an answer within ten seconds, so that after a quiz the progress is
// requested once more when that time is over. [contract 13]
import { useEffect, useState } from 'preact/hooks';
import type { Progress } from '../../learning/schema.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';

const COUNTED_WITHIN_MS = 10_000;
/** The event on `window` after the user has changed what is due. */
const CHANGED = 'page:progress';

let answeredAtMs = Number.NEGATIVE_INFINITY;
/** The last response, which a screen shows until a newer one arrives. */
let latest: { userId: string; progress: Progress } | null = null;

/** Records that an answer was judged just now. */
export function noteAnswer(): void {
  answeredAtMs = performance.now();
}

/** Lets the screens that show the progress request it again, since the user has suspended a word or resumed it. */
export function progressChanged(): void {
  dispatchEvent(new Event(CHANGED));
}

/** @returns undefined while the request runs; null if it has failed */
export function useProgress(): Progress | null | undefined {
  const { id: userId } = useUser();
  const [progress, setProgress] = useState<Progress | null | undefined>(
    latest?.userId === userId ? latest.progress : undefined,
  );
  useEffect(() => {
    let isShown = true;
    let requests = 0;
    const loadProgress = async () => {
      const request = ++requests;
      const found = await client.getProgress({ timeZone: ownTimeZone() });
      if (request !== requests) return;
      latest = { userId, progress: found };
      if (isShown) setProgress(found);
    };
    const uncountedMs = answeredAtMs + COUNTED_WITHIN_MS - performance.now();
    // Until the answers are counted, the last response is still current.
    if (uncountedMs <= 0 || latest?.userId !== userId)
      loadProgress().catch(() => setProgress((before) => before ?? null));
    // If a later request fails, the last response stays on the screen.
    const reload = () => void loadProgress().catch(() => {});
    const timer = uncountedMs > 0 && setTimeout(reload, uncountedMs);
    addEventListener(CHANGED, reload);
    return () => {
      isShown = false;
      removeEventListener(CHANGED, reload);
      if (timer) clearTimeout(timer);
    };
  }, [userId]);
  return progress;
}

/** @returns the browser's time zone, in which the service counts days */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
