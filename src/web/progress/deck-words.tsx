// The words of a deck or list, with what the user knows of each. It is loaded when it is opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WordPage, WordsQuery } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { Pending } from '../ui/query.tsx';
import { deckOf } from '../words/deck-choice.ts';
import type { WordsProgress } from './due.ts';
import { progressChanged } from './use-progress.ts';

const STATES = ['new', 'learning', 'known', 'suspended'] as const;
/** The longest search that the service accepts. [contract 13] */
const SEARCH_LENGTH = 120;

export function DeckWords({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const [state, setState] = useState<WordsQuery['state']>();
  const [sought, setSought] = useState('');
  const search = sought.trim();
  const { page, error, more, toggle } = useWords({
    ...('listId' in words ? { listId: words.listId, ...(words.reverse && { reverse: 'true' }) } : deckOf(words)),
    state,
    search: search === '' ? undefined : search,
  });
  return (
    <div class="deck-words">
      <div class="deck-words-search row">
        <select
          aria-label={t.learning.filter}
          onChange={({ currentTarget: { value } }) => setState(STATES.find((known) => known === value))}
        >
          <option value="">{t.learning.allWords}</option>
          {STATES.map((known) => (
            <option key={known} value={known}>
              {t.learning.states[known]}
            </option>
          ))}
        </select>
        <SearchField label={t.learning.search} maxLength={SEARCH_LENGTH} value={sought} onValue={setSought} />
      </div>
      {(!page || error) && <Pending error={error} />}
      {page?.words.length === 0 && page.next === null && <p class="hint">{t.lists.notFound}</p>}
      <ul class="ruled">
        {page?.words.map((word) => (
          <WordRow key={word.wordId} word={word} toggle={toggle} />
        ))}
      </ul>
      {page?.next && <ActionButton label={t.learning.moreWords} action={more} />}
    </div>
  );
}

function WordRow({ word, toggle }: { word: Word; toggle(word: Word): Promise<void> }) {
  const { t, locale } = useI18n();
  const { prompt, gloss, accepted, state, suspended, due } = word;
  const date = (iso: string) =>
    new Date(iso).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  const isDue = due !== null && !suspended;
  const facts = [
    t.learning.states[suspended ? 'suspended' : state],
    isDue && (Date.parse(due) <= Date.now() ? t.learning.wordDue : t.learning.dueOn(date(due))),
  ].filter((fact) => fact !== false);
  return (
    <li class="row apart">
      <div>
        <p>
          <bdi>{prompt}</bdi> – <bdi>{accepted.join(', ')}</bdi>
        </p>
        <p class="hint">
          {gloss && (
            <>
              <bdi>{gloss}</bdi> ·{' '}
            </>
          )}
          {facts.join(' · ')}
        </p>
      </div>
      {state !== 'new' && (
        <ActionButton
          label={suspended ? t.learning.resume : t.learning.suspend}
          of={prompt}
          action={() => toggle(word)}
        />
      )}
    </li>
  );
}

/** For how long the user has to pause before a search is sent, ms. */
const PAUSE_MS = 300;

type Word = WordPage['words'][number];

/**
 * The words of a deck or list, page by page. A reply to an earlier search is dropped.
 * @param query which words are shown, from their first page on
 */
function useWords(query: WordsQuery) {
  const { explain } = useI18n();
  const [page, setPage] = useState<WordPage | null>(null);
  const [error, setError] = useState<string | null>(null);
  const id = JSON.stringify(query);
  const shown = useRef(id);
  shown.current = id;
  useEffect(() => {
    const ifShown =
      <T,>(show: (value: T) => void) =>
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
    async toggle({ wordId, suspended }: Word) {
      await (suspended ? client.resumeWord(wordId) : client.suspendWord(wordId));
      progressChanged();
      const changed = (word: Word) => (word.wordId === wordId ? { ...word, suspended: !suspended } : word);
      setPage((before) => before && { ...before, words: before.words.map(changed) });
    },
  };
}
