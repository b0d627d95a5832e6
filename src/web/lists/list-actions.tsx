// The buttons of a list besides those that play it: homework, and downloads for a spreadsheet or for Anki.
import type { ComponentChildren } from 'preact';
import type { WordListWithTerms } from '../../client/types.ts';
import { saveAs } from '../download.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { ankiOf, csvOf } from './export-list.ts';

interface ListActionsProps extends Pick<WordListWithTerms, 'listId' | 'name' | 'terms'> {
  /** Further buttons. */
  children?: ComponentChildren;
}

export function ListActions({ listId, name, terms, children }: ListActionsProps) {
  const { t } = useI18n();
  const save = (text: string, type: string, ending: string) => saveAs(new Blob([text], { type }), `${name}${ending}`);
  return (
    <div class="actions">
      {children}
      <Link to={`/homework/new?list=${listId}`} class="button secondary">
        {t.homework.create}
      </Link>
      <button type="button" class="secondary" onClick={() => save(csvOf(terms), 'text/csv', '.csv')}>
        {t.lists.downloadTable}
      </button>
      <button type="button" class="secondary" onClick={() => save(ankiOf(terms), 'text/plain', '.txt')}>
        {t.lists.downloadAnki}
      </button>
    </div>
  );
}
