// One word of a list while it is written: in the place where it stands afterwards.
import { useId, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { ROW_FIELDS, type Row } from './draft.ts';

interface RowFormProps {
  row: Row;
  onDone(row: Row): void;
  onCancel(): void;
  /** None of a row that isn't in the list yet. */
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

/** Called with the same element once: where it appears. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
