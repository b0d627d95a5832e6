// A request that a screen sends when it is opened.
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

export interface Query<T> {
  /** Null until the response is there. */
  data: T | null;
  /** Why the request failed, in words for the user. */
  error: string | null;
}

/** @param id the request is sent again when it changes */
export function useQuery<T>(request: () => Promise<T>, id = ''): Query<T> {
  const { explain } = useI18n();
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setData(null);
    setError(null);
    request().then(
      (reply) => isCurrent && setData(reply),
      (thrown: unknown) => isCurrent && setError(explain(thrown)),
    );
    // A reply that comes after the next request was sent is of the screen before.
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return { data, error };
}
