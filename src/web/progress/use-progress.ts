// The user's progress. The service counts an answer within ten seconds, so that after a quiz the progress is
// requested once more when that time is over. [contract 13]
import { useEffect, useState } from 'preact/hooks';
import type { Progress } from '../../learning/schema.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { monotonicMs } from '../game/clock.ts';

const COUNTED_WITHIN_MS = 10_000;

let answeredAtMs = Number.NEGATIVE_INFINITY;
/** The last response, which a screen shows until a newer one arrives. */
let latest: { userId: string; progress: Progress } | null = null;

/** Records that an answer was judged just now. */
export function noteAnswer(): void {
  answeredAtMs = monotonicMs();
}

/** @returns undefined while the request runs; null if it has failed */
export function useProgress(): Progress | null | undefined {
  const { id: userId } = useUser();
  const [progress, setProgress] = useState<Progress | null | undefined>(
    latest?.userId === userId ? latest.progress : undefined,
  );
  useEffect(() => {
    let isShown = true;
    const loadProgress = async () => {
      const found = await client.getProgress({ timeZone: ownTimeZone() });
      latest = { userId, progress: found };
      if (isShown) setProgress(found);
    };
    const uncountedMs = answeredAtMs + COUNTED_WITHIN_MS - monotonicMs();
    // Until the answers are counted, the last response is still current.
    if (uncountedMs <= 0 || latest?.userId !== userId)
      loadProgress().catch(() => setProgress((before) => before ?? null));
    const timer =
      uncountedMs > 0 && setTimeout(() => void loadProgress().catch(() => {}), uncountedMs);
    return () => {
      isShown = false;
      if (timer) clearTimeout(timer);
    };
  }, [userId]);
  return progress;
}

/** @returns the browser's time zone, in which the service counts days */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
