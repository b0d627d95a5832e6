// What one has learned, as the service tells it. An answer counts there within ten seconds, so that who
// comes from a quiz asks when it is sure to be counted. [contract 13]
import { useEffect, useState } from 'preact/hooks';
import type { Progress } from '../learning/schema.ts';
import { client } from './api.ts';
import { monotonicMs } from './clock.ts';
import { useUser } from './session.tsx';

const COUNTED_WITHIN_MS = 10_000;

let answeredAtMs = Number.NEGATIVE_INFINITY;
/** Shown at once by whoever comes back to a screen, until there is a newer one. */
let latest: { userId: string; progress: Progress } | null = null;

/** An answer of this user was judged just now. */
export function noteAnswer(): void {
  answeredAtMs = monotonicMs();
}

/** @returns undefined while it is asked; null when it can't be had */
export function useProgress(): Progress | null | undefined {
  const { id: userId } = useUser();
  const [progress, setProgress] = useState<Progress | null | undefined>(
    latest?.userId === userId ? latest.progress : undefined,
  );
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const found = await client.getProgress({ timeZone: ownTimeZone() });
      latest = { userId, progress: found };
      if (isShown) setProgress(found);
    };
    const uncountedMs = answeredAtMs + COUNTED_WITHIN_MS - monotonicMs();
    // What is known from before is as good until then.
    if (uncountedMs <= 0 || latest?.userId !== userId)
      look().catch(() => setProgress((before) => before ?? null));
    const timer = uncountedMs > 0 && setTimeout(() => void look().catch(() => {}), uncountedMs);
    return () => {
      isShown = false;
      if (timer) clearTimeout(timer);
    };
  }, [userId]);
  return progress;
}

/** Whose days count: those of where the browser is. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
