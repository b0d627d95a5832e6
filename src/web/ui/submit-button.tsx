// Buttons that send a request. They show that it runs, and why it failed.
import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from './notice.tsx';
import { type Submission, useSubmit } from './use-submit.ts';

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
