// Labelled inputs that browsers and password managers can fill in.
import type { InputHTMLAttributes } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Button } from './button.tsx';

/**
 * Words, names and codes are left as they are typed: a phone would correct wrong answers. With a capital letter Preact
 * sets the attribute; the property is a boolean, for which `off` is true.
 */
export const AS_TYPED = { autoCorrect: 'off', autocapitalize: 'none', spellcheck: false } as const;

interface FieldProps {
  label: string;
  value: string;
  onValue(value: string): void;
  hint?: string;
  /** Why the value can't be used; it marks the field. */
  problem?: string | undefined;
  type?: 'text' | 'email' | 'password';
  name: string;
  autoComplete: string;
  minLength?: number;
  maxLength?: number;
  placeholder?: string;
  inputMode?: 'text' | 'numeric';
  /** Whether the input takes the focus when it is mounted. */
  isFocused?: boolean;
}

export function Field(props: FieldProps) {
  const { label, hint, problem } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Input {...props} id={id} />
      {hint && <Hint id={id} text={hint} />}
      {problem && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A field with a button that shows the password. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'name'>) {
  const { t } = useI18n();
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="field-row">
        <Input {...props} id={id} name="password" type={isShown ? 'text' : 'password'} />
        <Button
          class="quiet"
          icon={isShown ? 'hidden' : 'eye'}
          label={isShown ? t.hidePassword : t.showPassword}
          isIcon
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </div>
      {props.hint && <Hint id={id} text={props.hint} />}
    </div>
  );
}

type FieldInputProps = Pick<FieldProps, 'value' | 'onValue' | 'isFocused'>;

/** The address of an account. Password managers need `username` for it. */
export function EmailField(props: FieldInputProps) {
  const { t } = useI18n();
  return <Field {...props} label={t.email} name="email" type="email" autoComplete="username" />;
}

export function NameField(props: FieldInputProps) {
  const { t } = useI18n();
  return <Field {...props} label={t.name} hint={t.nameHint} name="name" autoComplete="nickname" />;
}

/** The field of a new password, with the rules as its hint. */
export function NewPasswordField(props: FieldInputProps & { label: string }) {
  const { t } = useI18n();
  return <PasswordField {...props} hint={t.passwordHint} autoComplete="new-password" minLength={8} maxLength={128} />;
}

interface SearchFieldProps {
  label: string;
  value: string;
  onValue(value: string): void;
  maxLength?: number;
}

/** Its label is seen as long as it is empty. */
export function SearchField({ label, onValue, ...rest }: SearchFieldProps) {
  const input = { 'aria-label': label, placeholder: label, ...AS_TYPED, ...rest };
  return <input type="search" {...input} onInput={(event) => onValue(event.currentTarget.value)} />;
}

function Input(props: FieldProps & { id: string }) {
  const { id, label: _label, hint, problem, isFocused = false, onValue, ...rest } = props;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isFocused) input.current?.focus();
  }, []);
  return (
    <input
      {...(rest as InputHTMLAttributes<HTMLInputElement>)}
      ref={input}
      id={id}
      required
      {...AS_TYPED}
      autocapitalize={rest.name === 'name' ? 'words' : 'none'}
      aria-describedby={problem ? `${id}-problem` : hint && `${id}-hint`}
      aria-invalid={problem ? true : undefined}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}

function Hint({ id, text }: { id: string; text: string }) {
  return (
    <p class="hint" id={`${id}-hint`}>
      {text}
    </p>
  );
}
