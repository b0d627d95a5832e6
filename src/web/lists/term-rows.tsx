// The rows of a list, which are editable in place if the list is the user's own. A long list is rendered in parts.
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { AS_TYPED, SearchField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/page.tsx';
import type { Direction } from '../words/deck-choice.ts';
import {
  acceptedOf,
  type Draft,
  type DraftRow,
  type DraftRowProblem,
  promptOf,
  putRow,
  ROW_FIELDS,
  removeRow,
  rowProblem,
} from './draft.ts';

/** With fewer words, no question has enough wrong options. [contract 14] */
const CHOICE_MIN = 4;
const ROWS_AT_ONCE = 100;
/** Longer lists have a search field. */
const MANY_ROWS = 20;

interface TermRowsProps {
  list: Pick<Draft, 'rows' | 'nextId' | 'sourceLanguage' | 'targetLanguage'>;
  onDraft?: ((draft: Draft) => void) | undefined;
}

export function TermRows({ list, onDraft }: TermRowsProps) {
  const { t } = useI18n();
  const heading = useRef<HTMLHeadingElement>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const [sought, setSought] = useState('');
  const [isBadOnly, setBadOnly] = useState(false);

  const [limit, setLimit] = useState(ROWS_AT_ONCE);

  const numbered = useMemo(() => {
    const translations = new Map<string, string[]>();
    return list.rows.map((row, at) => {
      const problem = rowProblem(row);
      const ofPrompt = translations.get(promptOf(row)) ?? [];
      translations.set(promptOf(row), ofPrompt);
      if (!problem) ofPrompt.push(row.targetText);
      return { row, number: at + 1, problem, translations: ofPrompt };
    });
  }, [list.rows]);
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
      <div class="rows-head row apart">
        <h2 ref={heading} tabIndex={-1}>
          {t.lists.words(list.rows.length)}
        </h2>
        {edit && editing !== list.nextId && <Button label={t.lists.addWord} onClick={() => setEditing(list.nextId)} />}
      </div>
      {list.rows.length > 0 && list.rows.length < CHOICE_MIN && <p class="hint">{t.lists.fewWords}</p>}
      {bad.length > 0 && (
        <Notice kind="error">
          <span>{t.lists.badLines(bad.length)}</span>{' '}
          <Button
            class="link"
            label={isBadOnly ? t.lists.showEvery : t.lists.showBad}
            onClick={() => setBadOnly(!isBadOnly)}
          />
        </Notice>
      )}
      {list.rows.length > MANY_ROWS && <SearchField label={t.lists.search} value={sought} onValue={setSought} />}
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
      <ul class="terms ruled">
        {found.slice(0, limit).map((one) => (
          <TermRow
            key={one.row.id}
            {...one}
            direction={list}
            isEditing={editing === one.row.id}
            edit={edit}
            onEdit={setEditing}
          />
        ))}
      </ul>
      {found.length > limit && (
        <Button
          label={t.lists.showMore(Math.min(ROWS_AT_ONCE, found.length - limit))}
          onClick={() => setLimit(limit + ROWS_AT_ONCE)}
        />
      )}
    </>
  );
}

function matches(row: DraftRow, sought: string): boolean {
  const part = sought.trim().toLowerCase();
  return ROW_FIELDS.some((field) => row[field].toLowerCase().includes(part));
}

interface TermRowProps {
  row: DraftRow;
  number: number;
  problem: DraftRowProblem | null;
  /** All translations of its prompt. */
  translations: string[];
  direction: Direction;
  isEditing: boolean;
  edit: { put(row: DraftRow): void; remove(id: number): void } | undefined;
  /** @param id the row to edit; null for none */
  onEdit(id: number | null): void;
}

/** A row of a list: the word, its translation, and the row's problem, if any. */
function TermRow(props: TermRowProps) {
  const { row, number, problem, translations, direction, isEditing, edit, onEdit } = props;
  const { t } = useI18n();
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing && edit)
    return (
      <li>
        <RowForm
          row={row}
          onDone={(changed) => {
            edit.put(changed);
            onEdit(null);
          }}
          onCancel={() => onEdit(null)}
          onRemove={() => edit.remove(row.id)}
        />
      </li>
    );
  const { sourceText, targetText, sourceGloss } = row;
  return (
    <li class={problem ? 'term term-bad' : 'term'}>
      <span class="term-source" dir="auto" lang={direction.sourceLanguage}>
        {sourceText}
        {sourceGloss && <small>{sourceGloss}</small>}
      </span>
      <span dir="auto" lang={direction.targetLanguage}>
        {targetText}
        {!problem && <Accepted texts={[targetText, ...translations]} language={direction.targetLanguage} />}
      </span>
      {edit && (
        <button
          ref={button}
          type="button"
          class="quiet"
          aria-label={t.lists.edit(sourceText || t.lists.line(number))}
          onClick={() => onEdit(row.id)}
        >
          <Icon name="pen" />
        </button>
      )}
      {problem && <ProblemText problem={problem} number={number} />}
    </li>
  );
}

/** What is accepted where answers are typed, unless it is just the translation. */
function Accepted({ texts, language = '' }: { texts: string[]; language: string | undefined }) {
  const { t, locale } = useI18n();
  const accepted = useMemo(() => acceptedOf(texts, language), [texts.join('\n'), language]);
  if (accepted.length === 0 || (accepted.length === 1 && accepted[0] === texts[0])) return null;
  return (
    <small lang={locale} class="term-accepted">
      {t.lists.accepted(accepted.join(' · '))}
    </small>
  );
}

function ProblemText({ problem, number }: { problem: DraftRowProblem; number: number }) {
  const { t } = useI18n();
  const { field, kind } = problem;
  const text = t.lists.problems[kind];
  return (
    <small class="term-problem">
      <Icon name="cross" /> {t.lists.line(number)}: {field ? `${t.lists.fields[field]} ${text}` : text}
    </small>
  );
}

interface RowFormProps {
  row: DraftRow;
  onDone(row: DraftRow): void;
  onCancel(): void;
  onRemove?(): void;
}

/** The form of one row of a draft, shown in the row's place. */
function RowForm({ row, onDone, onCancel, onRemove }: RowFormProps) {
  const { t } = useI18n();
  const id = useId();
  const [texts, setTexts] = useState(row);
  return (
    <form
      class="row-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(texts);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      {ROW_FIELDS.map((field, at) => (
        <div key={field} class="field">
          <label for={`${id}-${field}`}>{t.lists.fields[field]}</label>
          <input
            id={`${id}-${field}`}
            ref={at === 0 ? focusOnce : null}
            dir="auto"
            autoComplete="off"
            {...AS_TYPED}
            value={texts[field]}
            onInput={(event) => setTexts({ ...texts, [field]: event.currentTarget.value })}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" class="secondary">
          {t.lists.done}
        </button>
        {onRemove && <Button class="quiet" label={t.lists.remove} onClick={onRemove} />}
        <Button class="quiet" label={t.cancel} onClick={onCancel} />
      </div>
    </form>
  );
}

/** A ref callback. It is the same in each render, so that it runs only when the input is mounted. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
