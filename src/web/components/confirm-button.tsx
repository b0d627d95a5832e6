// A button for what can't be taken back: it asks once.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Icon, type IconName } from './icon.tsx';

interface ConfirmButtonProps {
  label: ComponentChildren;
  /** Shown instead of the label, which is read out alone. */
  icon?: IconName;
  class?: 'quiet' | 'secondary' | 'danger';
  question: ComponentChildren;
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
  const { label, icon, class: kind = 'quiet' } = props;
  const [isAsking, setAsking] = useState(false);
  const press = (event: Event) => {
    if (props.isAsked?.() === false) props.onConfirmed(event);
    else setAsking(true);
  };
  return (
    <>
      <button type="button" class={kind} onClick={press}>
        {icon ? (
          <>
            <Icon name={icon} />
            <span class="visually-hidden">{label}</span>
          </>
        ) : (
          label
        )}
      </button>
      {isAsking && <Question {...props} onClosed={() => setAsking(false)} />}
    </>
  );
}

function Question(props: ConfirmButtonProps & { onClosed(): void }) {
  const { label, class: kind, question, consequence, isDisabled = false } = props;
  const { t } = useI18n();
  const id = useId();
  const dialog = useDialog();
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.onClosed}>
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
  );
}

/** @returns a ref for a dialog that is open as long as it is shown */
export function useDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return dialog;
}
