// A button that asks for the password before it does anything.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { PasswordField } from '../ui/field.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';

interface PasswordStepProps {
  label: string;
  kind?: 'secondary' | 'danger';
  /** Sends the request; an error that it throws is shown. */
  onConfirmed(password: string): Promise<unknown>;
}

export function PasswordStep({ label, kind = 'secondary', onConfirmed }: PasswordStepProps) {
  const { t } = useI18n();
  const [isAsking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await onConfirmed(password);
    close();
  });
  const close = () => {
    setAsking(false);
    setPassword('');
    sending.setError(null);
  };
  if (!isAsking)
    return (
      <button type="button" class={kind} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  return (
    <form onSubmit={sending.submit}>
      <PasswordField
        label={t.account.passwordToConfirm}
        autoComplete="current-password"
        isFocused
        value={password}
        onValue={setPassword}
      />
      <SubmitButton class={kind === 'danger' ? kind : 'primary'} sending={sending} onCancel={close}>
        {label}
      </SubmitButton>
    </form>
  );
}
