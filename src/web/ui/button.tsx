// Buttons and links. Buttons that send a request show that it runs, and why it failed; for an action that can't be undone, a
// dialog asks for a confirmation.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Notice } from './page.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'label' | 'icon'> {
  label: ComponentChildren;
  /** What the button is for, which only screen readers get behind the label. */
  of?: string;
  icon?: IconName | undefined;
  /** Whether only screen readers get the label. */
  isIcon?: boolean;
  /** Whether a phone shows the icon alone. */
  isShort?: boolean;
}

export function Button({ class: kind = 'secondary', icon, label, of, isIcon, isShort, ...rest }: ButtonProps) {
  const labelClass = isIcon ? 'visually-hidden' : isShort ? 'on-wide' : undefined;
  return (
    <button type="button" class={kind} {...rest}>
      {icon && <Icon name={icon} />} {labelClass ? <span class={labelClass}>{label}</span> : label}
      {of && <span class="visually-hidden">: {of}</span>}
    </button>
  );
}

interface SubmitButtonProps extends Omit<ActionButtonProps, 'action'> {
  sending: ReturnType<typeof useSubmit>;
  onCancel?(): void;
}

export function SubmitButton({ sending, label, class: kind = 'primary', done, onCancel }: SubmitButtonProps) {
  const { t } = useI18n();
  const button = <Button type="submit" class={kind} label={label} aria-busy={sending.isBusy} />;
  return (
    <>
      {sending.error && <Notice kind="error">{sending.error}</Notice>}
      {sending.isDone && done && <Notice kind="good">{done}</Notice>}
      {onCancel ? (
        <div class="actions">
          <Button label={t.cancel} onClick={onCancel} />
          {button}
        </div>
      ) : (
        button
      )}
    </>
  );
}

interface ActionButtonProps extends Pick<ButtonProps, 'label' | 'of' | 'icon' | 'class'> {
  /** Says that the request has succeeded. */
  done?: string;
  /** The request; an error that it throws is shown. */
  action(): Promise<unknown>;
}

export function ActionButton({ done, action, ...props }: ActionButtonProps) {
  const { isBusy, isDone, error, submit } = useSubmit(action);
  return (
    <>
      <Button {...props} aria-busy={isBusy} onClick={submit} />
      {isDone && done && <Notice kind="good">{done}</Notice>}
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
}

interface ConfirmButtonProps extends Pick<ButtonProps, 'label'> {
  /** Shown instead of the label, which only screen readers get then. */
  icon?: IconName;
  class?: 'quiet' | 'secondary' | 'danger';
  question: ComponentChildren;
  consequence: string;
  /** The label of the button that cancels; the default is "Cancel". */
  stay?: string;
  isDisabled?: boolean;
  /** Whether a confirmation is needed now; without it, one always is. */
  isAsked?(): boolean;
  /** What is confirmed; an error that it throws is shown. */
  action(): unknown;
  /** A further button, which does more than the label says. */
  also?: { label: string; action(): void } | undefined;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, icon, class: kind = 'quiet', isAsked = () => true } = props;
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, submit } = useSubmit(async () => props.action());
  return (
    <>
      <Button
        class={kind}
        icon={icon}
        label={label}
        isIcon={icon !== undefined}
        aria-busy={isBusy}
        onClick={(event) => (isAsked() ? setAsking(true) : submit(event))}
      />
      {isAsking && <ConfirmDialog {...props} onConfirmed={submit} onClosed={() => setAsking(false)} />}
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
}

function ConfirmDialog(props: ConfirmButtonProps & { onConfirmed(event: Event): void; onClosed(): void }) {
  const { label, class: kind, question, consequence, isDisabled = false, also } = props;
  const { t } = useI18n();
  const id = useId();
  const dialog = useDialog();
  const close = () => dialog.current?.close();
  const afterClosing = (act: (event: Event) => void) => (event: Event) => {
    close();
    act(event);
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.onClosed}>
      <h2 id={id}>{question}</h2>
      <p>{consequence}</p>
      <div class="actions">
        <Button label={props.stay ?? t.cancel} onClick={close} />
        <Button
          class={kind === 'danger' ? kind : 'primary'}
          label={label}
          disabled={isDisabled}
          onClick={afterClosing(props.onConfirmed)}
        />
        {also && <Button label={also.label} disabled={isDisabled} onClick={afterClosing(also.action)} />}
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

/**
 * Sends a form's requests, one at a time.
 * @param send sends the request; an error that it throws is shown
 * @returns whether a request runs, whether the last one has succeeded, why it failed in words for the user, and `submit`
 *   for a form's `onSubmit` or a button's `onClick`
 */
export function useSubmit(send: () => Promise<unknown>) {
  const { explain } = useI18n();
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<string | null>(null);
  return {
    isBusy,
    isDone,
    error,
    setError,
    submit(event: Event) {
      event.preventDefault();
      if (isBusy) return;
      setBusy(true);
      setDone(false);
      setError(null);
      send()
        .then(
          () => setDone(true),
          (thrown: unknown) => setError(explain(thrown)),
        )
        .finally(() => setBusy(false));
    },
  };
}

export function Link({ to, children, ...rest }: { to: string; class?: string; children: ComponentChildren }) {
  return (
    <a
      href={to}
      {...rest}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}

export interface ButtonLinkProps extends Pick<ButtonProps, 'label' | 'icon' | 'isShort'> {
  to: string;
  class?: 'primary' | 'secondary' | 'quiet';
}

export function ButtonLink({ to, class: kind = 'secondary', icon, label, isShort = false }: ButtonLinkProps) {
  return (
    <Link to={to} class={`button ${kind}`}>
      {icon && <Icon name={icon} />} {isShort ? <span class="on-wide">{label}</span> : label}
    </Link>
  );
}
