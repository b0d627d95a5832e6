// The link in the confirmation mail leads here in another browser than that of the sign-up, such as on the
// phone. The password of the sign-up proves that the same person opens it. The owner of an address that
// somebody else has signed up with chooses a new password and name instead.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { NameField, NewPasswordField, PasswordField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { type ConfirmationReply, chooseByLink, confirmByPassword } from './auth.ts';
import { SignInForm } from './sign-in-form.tsx';

export function VerifyScreen() {
  const { t } = useI18n();
  const [token] = useState(() => new URLSearchParams(location.search).get('token'));
  const [isChoosing, setChoosing] = useState(false);
  return (
    <Page title={t.verify.title}>
      <div class="card">
        {!token ? (
          <>
            <Notice kind="error">{t.verifyLinkDead}</Notice>
            <SignInForm next="/" />
          </>
        ) : (
          <>
            <p class="lead">{isChoosing ? t.verify.chooseWhy : t.verify.why}</p>
            {isChoosing ? <ChoiceForm token={token} /> : <PasswordForm token={token} />}
            <button type="button" class="secondary" onClick={() => setChoosing(!isChoosing)}>
              {isChoosing ? t.verify.knowPassword : t.verify.choose}
            </button>
            <p class="fine">{t.verify.notYou}</p>
          </>
        )}
      </div>
    </Page>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { t } = useI18n();
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => redirect(await confirmByPassword(token, password)));
  return (
    <form onSubmit={sending.submit}>
      <PasswordField
        label={t.verify.password}
        autoComplete="current-password"
        maxLength={128}
        value={password}
        onValue={setPassword}
      />
      <SubmitButton sending={sending}>{t.verify.submit}</SubmitButton>
    </form>
  );
}

function ChoiceForm({ token }: { token: string }) {
  const { t } = useI18n();
  const [name, setName] = useState('');
  const [newPassword, setPassword] = useState('');
  const sending = useSubmit(async () => redirect(await chooseByLink(token, { name, newPassword })));
  return (
    <form onSubmit={sending.submit}>
      <NameField isFocused value={name} onValue={setName} />
      <NewPasswordField label={t.newPassword} value={newPassword} onValue={setPassword} />
      <SubmitButton sending={sending}>{t.verify.submit}</SubmitButton>
    </form>
  );
}

/** Redirects. The service has checked that the address belongs to a trusted page. */
function redirect({ url = '/verified' }: ConfirmationReply): void {
  location.assign(url);
}
