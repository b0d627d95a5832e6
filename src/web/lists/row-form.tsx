// The form of one row of a draft, shown in the row's place.
import { useId, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { type DraftRow, ROW_FIELDS } from './draft.ts';

interface RowFormProps {
  row: DraftRow;
  onDone(row: DraftRow): void;
  onCancel(): void;
  /** Absent for a row that is not in the draft yet. */
  onRemove?(): void;
}

export function RowForm({ row, onDone, onCancel, onRemove }: RowFormProps) {
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
            spellcheck={false}
            value={texts[field]}
            onInput={(event) => setTexts({ ...texts, [field]: event.currentTarget.value })}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" class="secondary">
          {t.lists.done}
        </button>
        {onRemove && (
          <button type="button" class="quiet" onClick={onRemove}>
            {t.lists.remove}
          </button>
        )}
        <button type="button" class="quiet" onClick={onCancel}>
          {t.cancel}
        </button>
      </div>
    </form>
  );
}

/** A ref callback. It is the same in each render, so that it runs only when the input is mounted. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
