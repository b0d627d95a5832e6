// A row of a list: the word, its translation, and the row's problem, if any.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Direction } from '../words/deck-choice.ts';
import type { DraftRow, DraftRowProblem } from './draft.ts';
import { RowForm } from './row-form.tsx';

interface TermRowProps {
  row: DraftRow;
  /** The place in the list, from 1. */
  number: number;
  problem: DraftRowProblem | null;
  direction: Direction;
  isEditing: boolean;
  /** Undefined if the list is read-only. */
  edit: { put(row: DraftRow): void; remove(id: number): void } | undefined;
  /** @param id the row to edit; null for none */
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
      {problem && <ProblemText problem={problem} number={number} />}
    </li>
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
