// What sends something to the service: it is busy meanwhile, and says what went wrong.
import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/index.tsx';
import { type Submission, useSubmit } from '../use-submit.ts';
import { Notice } from './notice.tsx';

interface SubmitButtonProps {
  sending: Submission;
  class?: 'primary' | 'secondary' | 'danger';
  /** The way back, where there is one. */
  onCancel?(): void;
  children: ComponentChildren;
}

/** The end of a form. */
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
  /** What it does; whatever that throws is explained. */
  action(): Promise<unknown>;
  children: ComponentChildren;
}

/** A button by itself. */
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
