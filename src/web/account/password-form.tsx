// Changes the password, which signs out all other devices.
import { useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { NewPasswordField, PasswordField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { changePassword } from './operations.ts';

export function PasswordForm({ onChanged }: { onChanged(): void }) {
  const { t } = useI18n();
  const { email } = useUser();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [isChanged, setChanged] = useState(false);
  const sending = useSubmit(async () => {
    setChanged(false);
    await changePassword(current, chosen);
    setCurrent('');
    setChosen('');
    setChanged(true);
    onChanged();
  });
  return (
    <form onSubmit={sending.submit}>
      {/* Password managers need the address to find the account. */}
      <input hidden name="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={t.account.currentPassword}
        autoComplete="current-password"
        value={current}
        onValue={setCurrent}
      />
      <NewPasswordField label={t.newPassword} value={chosen} onValue={setChosen} />
      {isChanged && <Notice kind="good">{t.account.passwordChanged}</Notice>}
      <SubmitButton class="secondary" sending={sending}>
        {t.account.changePassword}
      </SubmitButton>
    </form>
  );
}
