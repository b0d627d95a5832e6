// The rows of a list, which are editable in place if the list is the user's own. A long list is rendered in
// parts.
import type { ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Draft, type DraftRow, putRow, ROW_FIELDS, removeRow, rowProblem } from './draft.ts';
import { RowForm } from './row-form.tsx';
import { TermRow } from './term-row.tsx';

const ROWS_AT_ONCE = 100;
/** Longer lists have a search field. */
const MANY_ROWS = 20;

interface TermRowsProps {
  list: Pick<Draft, 'rows' | 'nextId' | 'sourceLanguage' | 'targetLanguage'>;
  /** Absent if the list is read-only. */
  onDraft?: ((draft: Draft) => void) | undefined;
}

export function TermRows({ list, onDraft }: TermRowsProps) {
  const { t } = useI18n();
  const heading = useRef<HTMLHeadingElement>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const [sought, setSought] = useState('');
  const [isBadOnly, setBadOnly] = useState(false);

  const numbered = list.rows.map((row, at) => ({ row, number: at + 1, problem: rowProblem(row) }));
  const bad = numbered.filter(({ problem }) => problem !== null);
  const found = (isBadOnly && bad.length > 0 ? bad : numbered).filter(({ row }) => matches(row, sought));
  const edit = onDraft && {
    put(row: DraftRow) {
      // A corrected row may disappear from the filtered rows, so that the focus goes to the heading.
      heading.current?.focus({ preventScroll: true });
      onDraft(putRow(list as Draft, row));
    },
    remove(id: number) {
      heading.current?.focus({ preventScroll: true });
      onDraft(removeRow(list as Draft, id));
    },
  };
  return (
    <>
      <div class="rows-head">
        <h2 ref={heading} tabIndex={-1}>
          {t.lists.words(list.rows.length)}
        </h2>
        {edit && editing !== list.nextId && (
          <button type="button" class="secondary" onClick={() => setEditing(list.nextId)}>
            {t.lists.addWord}
          </button>
        )}
      </div>
      {bad.length > 0 && (
        <Notice kind="error">
          <span>{t.lists.badLines(bad.length)}</span>{' '}
          <button type="button" class="link" onClick={() => setBadOnly(!isBadOnly)}>
            {isBadOnly ? t.lists.showEvery : t.lists.showBad}
          </button>
        </Notice>
      )}
      {list.rows.length > MANY_ROWS && (
        <input
          type="search"
          aria-label={t.lists.search}
          placeholder={t.lists.search}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {edit && editing === list.nextId && (
        <RowForm
          key={list.nextId}
          row={{ id: list.nextId, sourceText: '', targetText: '', sourceGloss: '' }}
          onDone={(row) => {
            if (ROW_FIELDS.every((field) => row[field].trim() === '')) return setEditing(null);
            edit.put(row);
            setEditing(row.id + 1);
          }}
          onCancel={() => setEditing(null)}
        />
      )}
      {found.length === 0 && sought !== '' && <p class="hint">{t.lists.notFound}</p>}
      <RowList rows={found} direction={list} edit={edit} editing={editing} onEdit={setEditing} />
    </>
  );
}

type TermRowProps = ComponentProps<typeof TermRow>;

interface RowListProps extends Pick<TermRowProps, 'direction' | 'edit' | 'onEdit'> {
  rows: Pick<TermRowProps, 'row' | 'number' | 'problem'>[];
  /** The id of the row that is edited. */
  editing: number | null;
}

/** Renders some rows at first, and more by a button. */
function RowList({ rows, editing, ...rest }: RowListProps) {
  const { t } = useI18n();
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  return (
    <>
      <ul class="terms ruled">
        {rows.slice(0, limit).map((numbered) => (
          <TermRow key={numbered.row.id} {...numbered} {...rest} isEditing={editing === numbered.row.id} />
        ))}
      </ul>
      {rows.length > limit && (
        <button type="button" class="secondary" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
          {t.lists.showMore(Math.min(ROWS_AT_ONCE, rows.length - limit))}
        </button>
      )}
    </>
  );
}

function matches(row: DraftRow, sought: string): boolean {
  const part = sought.trim().toLowerCase();
  return ROW_FIELDS.some((field) => row[field].toLowerCase().includes(part));
}
