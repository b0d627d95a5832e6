// Buttons that send a request. They show that it runs, and why it failed.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from './notice.tsx';

interface SubmitButtonProps {
  sending: Submission;
  class?: 'primary' | 'secondary' | 'danger';
  onCancel?(): void;
  children: ComponentChildren;
}

export function SubmitButton(props: SubmitButtonProps) {
  const { sending, class: kind = 'primary', onCancel, children } = props;
  const { t } = useI18n();
  const button = (
    <button type="submit" class={kind} aria-busy={sending.isBusy}>
      {children}
    </button>
  );
  return (
    <>
      {sending.error && <Notice kind="error">{sending.error}</Notice>}
      {onCancel ? (
        <div class="actions">
          <button type="button" class="secondary" onClick={onCancel}>
            {t.cancel}
          </button>
          {button}
        </div>
      ) : (
        button
      )}
    </>
  );
}

interface ActionButtonProps {
  class: 'primary' | 'secondary';
  /** The request; an error that it throws is shown. */
  action(): Promise<unknown>;
  children: ComponentChildren;
}

export function ActionButton({ class: kind, action, children }: ActionButtonProps) {
  const { isBusy, error, submit } = useSubmit(action);
  return (
    <>
      <button type="button" class={kind} aria-busy={isBusy} onClick={submit}>
        {children}
      </button>
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
}

interface Submission {
  isBusy: boolean;
  /** Why the last request failed, in words for the user; null if it did not. */
  error: string | null;
  setError(error: string | null): void;
  /** For a form's `onSubmit` or a button's `onClick`. */
  submit(event: Event): void;
}

/**
 * Sends a form's requests, one at a time.
 * @param send sends the request; an error that it throws is shown
 */
export function useSubmit(send: () => Promise<unknown>): Submission {
  const { explain } = useI18n();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  return {
    isBusy,
    error,
    setError,
    submit(event) {
      event.preventDefault();
      if (isBusy) return;
      setBusy(true);
      setError(null);
      send()
        .catch((thrown: unknown) => setError(explain(thrown)))
        .finally(() => setBusy(false));
    },
  };
}
