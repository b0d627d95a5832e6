// Turns the second factor, an authenticator app, on and off, and renews its backup codes.
import { useState } from 'preact/hooks';
import { verifyCode } from '../entry/auth.ts';
import { useSession, useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Field } from '../ui/field.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { BackupCodes } from './backup-codes.tsx';
import { disableSecondFactor, enableSecondFactor, renewBackupCodes, type SecondFactorSetUp } from './operations.ts';
import { PasswordStep } from './password-step.tsx';

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
          onConfirmed={async (password) => setSetUp(await enableSecondFactor(password))}
        />
      </>
    );
  return (
    <>
      <p>{t.account.secondFactorOn}</p>
      <PasswordStep
        label={t.account.newBackupCodes}
        onConfirmed={async (password) => setCodes(await renewBackupCodes(password))}
      />
      <PasswordStep
        label={t.account.turnOff}
        onConfirmed={async (password) => {
          await disableSecondFactor(password);
          became(false);
        }}
      />
    </>
  );
}

interface SetUpProps {
  totpURI: string;
  onCancel(): void;
  onDone(): void;
}

function SetUp({ totpURI, onCancel, onDone }: SetUpProps) {
  const { t } = useI18n();
  const [code, setCode] = useState('');
  const sending = useSubmit(async () => {
    await verifyCode('totp', code);
    onDone();
  });
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <form onSubmit={sending.submit}>
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
      <SubmitButton sending={sending} onCancel={onCancel}>
        {t.account.turnOn}
      </SubmitButton>
    </form>
  );
}
