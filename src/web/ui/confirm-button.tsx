// A button for an action that can't be undone: a dialog asks for a confirmation.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Icon, type IconName } from './icon.tsx';

interface ConfirmButtonProps {
  label: ComponentChildren;
  /** Shown instead of the label, which only screen readers get then. */
  icon?: IconName;
  class?: 'quiet' | 'secondary' | 'danger';
  question: ComponentChildren;
  /** What happens if the user confirms. */
  consequence: string;
  /** The label of the button that cancels; the default is "Cancel". */
  stay?: string;
  isDisabled?: boolean;
  /** Whether a confirmation is needed now; without it, one always is. */
  isAsked?(): boolean;
  onConfirmed(event: Event): void;
  /** A further button, which does more than the label says. */
  also?: { label: string; onConfirmed(event: Event): void };
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
      {isAsking && <ConfirmDialog {...props} onClosed={() => setAsking(false)} />}
    </>
  );
}

function ConfirmDialog(props: ConfirmButtonProps & { onClosed(): void }) {
  const { label, class: kind, question, consequence, isDisabled = false, also } = props;
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
        {also && (
          <button
            type="button"
            class="secondary"
            disabled={isDisabled}
            onClick={(event) => {
              close();
              also.onConfirmed(event);
            }}
          >
            {also.label}
          </button>
        )}
      </div>
    </dialog>
  );
}

/** @returns a ref for a dialog that opens when it is mounted */
export function useDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return dialog;
}
