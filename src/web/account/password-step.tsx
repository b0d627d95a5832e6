// A button that asks for the password before it does anything.
import { useState } from 'preact/hooks';
import { PasswordField } from '../components/field.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useSubmit } from '../use-submit.ts';

interface PasswordStepProps {
  label: string;
  kind?: 'secondary' | 'danger';
  /** Does it; what it throws is explained. */
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
