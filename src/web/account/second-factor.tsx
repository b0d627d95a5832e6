// The second factor, an authenticator app: turning it on and off and renewing its backup codes, each after the password,
// and the second step of a sign-in.
import { useState } from 'preact/hooks';
import { callAuth, type User, verifyCode } from '../entry/auth.ts';
import { useSession, useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Button, SubmitButton, useSubmit } from '../ui/button.tsx';
import { Check } from '../ui/choice.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field, PasswordField } from '../ui/field.tsx';
import { Notice } from '../ui/page.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import './account.css';

/** The key for an authenticator app, and the backup codes. */
interface SecondFactorSetUp {
  totpURI: string;
  backupCodes: string[];
}

/** @param onChanged called after a change, which gives this device a new session */
export function SecondFactor({ onChanged }: { onChanged(): void }) {
  const { t } = useI18n();
  const user = useUser();
  const { signedIn } = useSession();
  const [setUp, setSetUp] = useState<SecondFactorSetUp | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const became = (twoFactorEnabled: boolean) => {
    signedIn({ ...user, twoFactorEnabled });
    onChanged();
  };
  const renewCodes = async (password: string) => {
    const { backupCodes } = await callAuth<SecondFactorSetUp>('/two-factor/generate-backup-codes', { password });
    setCodes(backupCodes);
  };
  if (codes) return <BackupCodes codes={codes} onSaved={() => setCodes(null)} />;
  if (setUp)
    return (
      <SetUp
        totpURI={setUp.totpURI}
        onCancel={() => setSetUp(null)}
        onDone={() => {
          became(true);
          setCodes(setUp.backupCodes);
          setSetUp(null);
        }}
      />
    );
  if (!user.twoFactorEnabled)
    return (
      <>
        <p class="hint">{t.account.secondFactorMore}</p>
        <PasswordStep
          label={t.account.setUp}
          onConfirmed={async (password) => setSetUp(await callAuth('/two-factor/enable', { password }))}
        />
      </>
    );
  return (
    <>
      <p>{t.account.secondFactorOn}</p>
      <PasswordStep label={t.account.newBackupCodes} onConfirmed={renewCodes} />
      <PasswordStep
        label={t.account.turnOff}
        onConfirmed={async (password) => {
          await callAuth('/two-factor/disable', { password });
          became(false);
        }}
      />
    </>
  );
}

function SetUp({ totpURI, onCancel, onDone }: { totpURI: string; onCancel(): void; onDone(): void }) {
  const { t } = useI18n();
  const [code, setCode] = useState('');
  const sending = useSubmit(async () => {
    await verifyCode('totp', code);
    onDone();
  });
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <form class="set-up" onSubmit={sending.submit}>
      <p>{t.account.scan}</p>
      <QrCode text={totpURI} label={t.account.setUpQrCode} />
      <p class="hint">
        <a href={totpURI}>{t.account.openApp}</a> {t.account.orType}{' '}
        <code class="secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <Field
        label={t.sixDigits}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onValue={setCode}
      />
      <SubmitButton sending={sending} label={t.account.turnOn} onCancel={onCancel} />
    </form>
  );
}

/** The backup codes of the second factor. They are shown once, and each works once. */
function BackupCodes({ codes, onSaved }: { codes: string[]; onSaved(): void }) {
  const { t } = useI18n();
  return (
    <>
      <Notice kind="info">{t.account.backupCodesMore}</Notice>
      <ul class="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton text={codes.join('\n')} label={t.account.copyCodes} />
        <Button class="primary" label={t.account.codesKept} onClick={onSaved} />
      </div>
    </>
  );
}

interface PasswordStepProps {
  label: string;
  kind?: 'secondary' | 'danger';
  /** Sends the request; an error that it throws is shown. */
  onConfirmed(password: string): Promise<unknown>;
}

/** A button that asks for the password before it does anything. */
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
  if (!isAsking) return <Button class={kind} label={label} onClick={() => setAsking(true)} />;
  return (
    <form onSubmit={sending.submit}>
      <PasswordField
        label={t.account.passwordToConfirm}
        autoComplete="current-password"
        isFocused
        value={password}
        onValue={setPassword}
      />
      <SubmitButton class={kind === 'danger' ? kind : 'primary'} sending={sending} label={label} onCancel={close} />
    </form>
  );
}

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
      <Check isOn={isTrusted} onChange={setTrusted}>
        {t.secondStep.trust}
      </Check>
      <SubmitButton sending={sending} label={t.signIn} />
      <Button class="quiet" label={isTotp ? t.secondStep.useBackup : t.secondStep.useApp} onClick={switchKind} />
      <Button class="quiet" label={t.secondStep.startAgain} onClick={onCancel} />
    </form>
  );
}
