// The words of a list, to read and, when it is one's own, to change in place. A long one is shown in
// parts: what isn't on the screen costs nothing.
import { useRef, useState } from 'preact/hooks';
import { Notice } from '../components/notice.tsx';
import { useI18n } from '../i18n/index.tsx';
import { type Draft, putRow, ROW_FIELDS, type Row, removeRow, rowProblem } from './draft.ts';
import { RowForm } from './row-form.tsx';
import { TermRow } from './term-row.tsx';

const ROWS_AT_ONCE = 100;
/** From here on it is quicker to search. */
const MANY_ROWS = 20;

interface TermRowsProps {
  list: Pick<Draft, 'rows' | 'nextId' | 'sourceLanguage' | 'targetLanguage'>;
  /** None: it is only read. */
  onDraft?: ((draft: Draft) => void) | undefined;
}

export function TermRows({ list, onDraft }: TermRowsProps) {
  const { t } = useI18n();
  const heading = useRef<HTMLHeadingElement>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const [sought, setSought] = useState('');
  const [isBadOnly, setBadOnly] = useState(false);
  const [limit, setLimit] = useState(ROWS_AT_ONCE);

  const numbered = list.rows.map((row, at) => ({ row, number: at + 1, problem: rowProblem(row) }));
  const bad = numbered.filter(({ problem }) => problem !== null);
  const found = (isBadOnly && bad.length > 0 ? bad : numbered).filter(({ row }) =>
    has(row, sought),
  );
  const edit = onDraft && {
    put(row: Row) {
      // A row that is right leaves the bad ones: the focus must be somewhere.
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
            // On to the next one.
            setEditing(row.id + 1);
          }}
          onCancel={() => setEditing(null)}
        />
      )}
      {found.length === 0 && sought !== '' && <p class="hint">{t.lists.notFound}</p>}
      <ul class="terms ruled">
        {found.slice(0, limit).map(({ row, number, problem }) => (
          <TermRow
            key={row.id}
            row={row}
            number={number}
            problem={problem}
            direction={list}
            isEditing={editing === row.id}
            {...(edit && { edit })}
            onEdit={setEditing}
          />
        ))}
      </ul>
      {found.length > limit && (
        <button type="button" class="secondary" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
          {t.lists.showMore(Math.min(ROWS_AT_ONCE, found.length - limit))}
        </button>
      )}
    </>
  );
}

function has(row: Row, sought: string): boolean {
  const part = sought.trim().toLowerCase();
  return ROW_FIELDS.some((field) => row[field].toLowerCase().includes(part));
}
