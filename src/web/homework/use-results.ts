// The results of an assignment, read again from time to time while its owner looks at them.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { AssignmentResults } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';

/** The time between two readings, which the rate limiter of games allows for some windows at once. */
const POLL_MS = 15_000;
/** People on a page of the results. [contract 21] */
const PAGE = 200;

export interface Results {
  results: AssignmentResults | null;
  error: string | null;
  /** Reads a page more from now on. */
  more(): void;
  /** Reads the results now. */
  refresh(): void;
}

export function useResults(code: string): Results {
  const { explain } = useI18n();
  const [results, setResults] = useState<AssignmentResults | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [pages, setPages] = useState(1);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      readPages(code, pages).then(
        (found) => {
          if (!isCurrent) return;
          setResults(found);
          setError(null);
        },
        (thrown: unknown) => isCurrent && setError(explain(thrown)),
      );
    };
    read();
    const timer = setInterval(read, POLL_MS);
    document.addEventListener('visibilitychange', read);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [code, pages, turn, explain]);
  const more = useCallback(() => setPages((before) => before + 1), []);
  const refresh = useCallback(() => setTurn((before) => before + 1), []);
  return { results, error, more, refresh };
}

async function readPages(code: string, pages: number): Promise<AssignmentResults> {
  let results = await client.getAssignmentResults(code, { limit: PAGE });
  for (let page = 1; page < pages && results.next; page++) {
    const following = await client.getAssignmentResults(code, { limit: PAGE, after: results.next });
    results = { ...following, people: [...results.people, ...following.people] };
  }
  return results;
}
