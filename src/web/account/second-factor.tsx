// A second step at sign-in, by an authenticator app: set up, renewed, and given up again.
import { useState } from 'preact/hooks';
import { verifyCode } from '../auth.ts';
import { Field } from '../components/field.tsx';
import QrCode from '../components/qr-code.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useSession, useUser } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { BackupCodes } from './backup-codes.tsx';
import {
  disableSecondFactor,
  enableSecondFactor,
  renewBackupCodes,
  type SecondFactorSetUp,
} from './operations.ts';
import { PasswordStep } from './password-step.tsx';

/** @param onChanged this device's session is another one now */
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
  if (codes) return <BackupCodes codes={codes} onKept={() => setCodes(null)} />;
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
