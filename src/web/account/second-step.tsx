// The second step of a sign-in: a code of the authenticator app, or a backup code.
import { useState } from 'preact/hooks';
import { type User, verifyCode } from '../entry/auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button, SubmitButton, useSubmit } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import './account.css';

export function SecondStep({ onSignedIn, onCancel }: { onSignedIn(user: User): void; onCancel(): void }) {
  const { t } = useI18n();
  const [kind, setKind] = useState<'totp' | 'backup-code'>('totp');
  const [code, setCode] = useState('');
  const [isTrusted, setTrusted] = useState(false);
  const sending = useSubmit(async () => onSignedIn(await verifyCode(kind, code, isTrusted)));
  const isTotp = kind === 'totp';
  const switchKind = () => {
    setKind(isTotp ? 'backup-code' : 'totp');
    setCode('');
    sending.setError(null);
  };
  return (
    <form onSubmit={sending.submit}>
      <p>{isTotp ? t.secondStep.more : t.secondStep.backupMore}</p>
      <Field
        key={kind}
        label={isTotp ? t.sixDigits : t.secondStep.backupCode}
        name="code"
        autoComplete={isTotp ? 'one-time-code' : 'off'}
        inputMode={isTotp ? 'numeric' : 'text'}
        isFocused
        value={code}
        onValue={setCode}
      />
      <label class="check">
        <input type="checkbox" checked={isTrusted} onChange={(event) => setTrusted(event.currentTarget.checked)} />
        {t.secondStep.trust}
      </label>
      <SubmitButton sending={sending} label={t.signIn} />
      <Button class="quiet" label={isTotp ? t.secondStep.useBackup : t.secondStep.useApp} onClick={switchKind} />
      <Button class="quiet" label={t.secondStep.startAgain} onClick={onCancel} />
    </form>
  );
}
