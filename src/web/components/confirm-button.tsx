// A button for what can't be taken back: it asks once.
import { useId, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

interface ConfirmButtonProps {
  label: string;
  class?: 'quiet' | 'secondary' | 'danger';
  question: string;
  /** What it means to go through with it. */
  consequence: string;
  /** The way back; "Cancel" when left out. */
  stay?: string;
  isDisabled?: boolean;
  /** Whether there is anything to ask at this moment; always when left out. */
  isAsked?(): boolean;
  onConfirmed(event: Event): void;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, class: kind = 'quiet', question, consequence, isDisabled = false } = props;
  const { t } = useI18n();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = () => dialog.current?.close();
  const press = (event: Event) => {
    if (props.isAsked?.() === false) props.onConfirmed(event);
    else dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" class={kind} onClick={press}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{question}</h2>
        <p>{consequence}</p>
        <div class="actions">
          <button type="button" class="secondary" onClick={close}>
            {props.stay ?? t.cancel}
          </button>
          <button
            type="button"
            class={kind === 'danger' ? kind : 'primary'}
            disabled={isDisabled}
            onClick={(event) => {
              close();
              props.onConfirmed(event);
            }}
          >
            {label}
          </button>
        </div>
      </dialog>
    </>
  );
}
