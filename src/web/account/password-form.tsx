// Another password, for who knows the one before. All other devices are signed out by it.
import { useState } from 'preact/hooks';
import { NewPasswordField, PasswordField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
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
      {/* Tells password managers whose password it is. */}
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
