// Buttons that download a list for a spreadsheet or for Anki.
import type { WordListWithTerms } from '../../client/types.ts';
import { saveAs } from '../download.ts';
import { useI18n } from '../i18n/index.tsx';
import { ankiOf, csvOf } from './export-list.ts';

export function ListDownloads({ name, terms }: Pick<WordListWithTerms, 'name' | 'terms'>) {
  const { t } = useI18n();
  const save = (text: string, type: string, ending: string) =>
    saveAs(new Blob([text], { type }), `${name}${ending}`);
  return (
    <div class="actions">
      <button
        type="button"
        class="secondary"
        onClick={() => save(csvOf(terms), 'text/csv', '.csv')}
      >
        {t.lists.downloadTable}
      </button>
      <button
        type="button"
        class="secondary"
        onClick={() => save(ankiOf(terms), 'text/plain', '.txt')}
      >
        {t.lists.downloadAnki}
      </button>
    </div>
  );
}
