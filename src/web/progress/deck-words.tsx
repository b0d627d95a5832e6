// The words of a deck or list, with what the user knows of each. It is loaded when it is opened.
import { useState } from 'preact/hooks';
import type { WordsQuery } from '../../client/client.ts';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import { deckOf } from '../words/deck-choice.ts';
import type { WordsProgress } from './due.ts';
import { useWords, type Word, type Words } from './use-words.ts';

const STATES = ['new', 'learning', 'known', 'suspended'] as const;
/** The longest search that the service accepts. [contract 13] */
const SEARCH_LENGTH = 120;

export function DeckWords({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const [state, setState] = useState<WordsQuery['state']>();
  const [sought, setSought] = useState('');
  const search = sought.trim();
  const { page, error, more, toggle } = useWords({
    ...('listId' in words ? { listId: words.listId } : deckOf(words)),
    state,
    search: search === '' ? undefined : search,
  });
  return (
    <div class="deck-words">
      <div class="deck-words-search">
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
        <input
          type="search"
          aria-label={t.learning.search}
          placeholder={t.learning.search}
          maxLength={SEARCH_LENGTH}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      </div>
      {error && <Notice kind="error">{error}</Notice>}
      {!page && !error && <Spinner text={t.loading} />}
      {page?.words.length === 0 && page.next === null && <p class="hint">{t.lists.notFound}</p>}
      <ul class="ruled">
        {page?.words.map((word) => (
          <WordRow key={word.wordId} word={word} toggle={toggle} />
        ))}
      </ul>
      {page?.next && (
        <ActionButton class="secondary" action={more}>
          {t.learning.moreWords}
        </ActionButton>
      )}
    </div>
  );
}

interface WordRowProps {
  word: Word;
  toggle: Words['toggle'];
}

function WordRow({ word, toggle }: WordRowProps) {
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
    <li>
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
        <ActionButton class="secondary" action={() => toggle(word)}>
          {suspended ? t.learning.resume : t.learning.suspend}
          <span class="visually-hidden">{prompt}</span>
        </ActionButton>
      )}
    </li>
  );
}
