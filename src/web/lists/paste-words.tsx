// Own words as the way in: they are pasted, become a list, and are used at once.
import { useState } from 'preact/hooks';
import type { ListRequest } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/page.tsx';
import { type Draft, newDraft, requestOf, rowProblem, swapped } from './draft.ts';
import { LanguageFields } from './list-editor.tsx';
import { TableInput } from './table-input.tsx';
import './lists.css';

interface PasteWordsProps {
  text: string;
  /** @param list what the service is to store, without the rows that it would refuse */
  use(list: ListRequest): Promise<unknown>;
}

export function PasteWords({ text, use }: PasteWordsProps) {
  const { t, locale, explain } = useI18n();
  const [draft, setDraft] = useState(() => ({
    ...newDraft(locale === 'en' ? 'it' : 'en', locale),
    name: t.lists.ownWords,
  }));
  const [error, setError] = useState<string | null>(null);
  const add = (added: Draft) => {
    const rows = added.rows.filter((row) => rowProblem(row) === null);
    use(requestOf({ ...added, rows })).catch((thrown: unknown) => setError(explain(thrown)));
  };
  return (
    <div class="stack">
      <LanguageFields
        direction={draft}
        onDirection={(direction) => setDraft({ ...draft, ...direction })}
        onSwap={() => setDraft({ ...draft, ...swapped(draft) })}
      />
      <TableInput draft={draft} onDraft={setDraft} adding={{ text, add }} />
      {error && <Notice kind="error">{error}</Notice>}
    </div>
  );
}
