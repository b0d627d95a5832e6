// What the service is asked for when a screen is opened.
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from './i18n/index.tsx';

export interface Asked<T> {
  /** Null until it is there. */
  found: T | null;
  /** Why it can't be had, in words. */
  error: string | null;
}

/** @param id asked anew when it changes */
export function useAsked<T>(ask: () => Promise<T>, id = ''): Asked<T> {
  const { explain } = useI18n();
  const [found, setFound] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    ask().then(setFound, (thrown: unknown) => setError(explain(thrown)));
  }, [id]);
  return { found, error };
}
