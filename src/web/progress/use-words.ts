// The words of a deck or list, page by page. A reply to an earlier search is dropped.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WordsQuery } from '../../client/client.ts';
import type { WordPage } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { progressChanged } from './use-progress.ts';

/** For how long the user has to pause before a search is sent, ms. */
const PAUSE_MS = 300;

export type Word = WordPage['words'][number];

export interface Words {
  /** Null until the first page is there. */
  page: WordPage | null;
  error: string | null;
  /** Adds the next page. */
  more(): Promise<void>;
  /** Suspends or resumes a word. */
  toggle(word: Word): Promise<void>;
}

/** @param query which words are shown, from their first page on */
export function useWords(query: WordsQuery): Words {
  const { explain } = useI18n();
  const [page, setPage] = useState<WordPage | null>(null);
  const [error, setError] = useState<string | null>(null);
  const id = JSON.stringify(query);
  const shown = useRef(id);
  shown.current = id;
  useEffect(() => {
    const ifShown =
      <T>(show: (value: T) => void) =>
      (value: T) => {
        if (shown.current === id) show(value);
      };
    const load = () => {
      setError(null);
      client.getWords(query).then(
        ifShown(setPage),
        ifShown((thrown: unknown) => setError(explain(thrown))),
      );
    };
    const timer = setTimeout(load, query.search ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [id]);
  return {
    page,
    error,
    async more() {
      const next = await client.getWords({ ...query, after: page?.next ?? undefined });
      if (shown.current !== id) return;
      setPage((before) => ({ ...next, words: [...(before?.words ?? []), ...next.words] }));
    },
    async toggle({ wordId, suspended }) {
      await (suspended ? client.resumeWord(wordId) : client.suspendWord(wordId));
      progressChanged();
      const changed = (word: Word) => (word.wordId === wordId ? { ...word, suspended: !suspended } : word);
      setPage((before) => before && { ...before, words: before.words.map(changed) });
    },
  };
}
