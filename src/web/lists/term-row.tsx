// One word of a list: what is asked, what is right, and what is wrong with it, if anything.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import type { Direction } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import type { Row, RowProblem } from './draft.ts';
import { RowForm } from './row-form.tsx';

interface TermRowProps {
  row: Row;
  /** Its place in the list, from 1. */
  number: number;
  problem: RowProblem | null;
  direction: Direction;
  isEditing: boolean;
  /** None: it is only read. */
  edit?: { put(row: Row): void; remove(id: number): void };
  /** @param id the row to write in; null for none */
  onEdit(id: number | null): void;
}

export function TermRow(props: TermRowProps) {
  const { row, number, problem, direction, isEditing, edit, onEdit } = props;
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
      {problem && <Problem problem={problem} number={number} />}
    </li>
  );
}

function Problem({ problem, number }: { problem: RowProblem; number: number }) {
  const { t } = useI18n();
  const { field, kind } = problem;
  const text = t.lists.problems[kind];
  return (
    <small class="term-problem">
      <Icon name="cross" /> {t.lists.line(number)}:{' '}
      {field ? `${t.lists.fields[field]} ${text}` : text}
    </small>
  );
}
