// Where the link in the reset mail ends: a new password, then a sign-in with it. The link that confirms
// an address ends here as well, when nobody knows whose of several passwords is to open the account.
import { useState } from 'preact/hooks';
import { resetPassword } from '../auth.ts';
import { NewPasswordField } from '../components/field.tsx';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { SignInForm } from '../components/sign-in-form.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useSubmit } from '../use-submit.ts';

export function ResetPasswordScreen() {
  const { t } = useI18n();
  const [query] = useState(() => new URLSearchParams(location.search));
  const token = query.get('token');
  const [isSaved, setSaved] = useState(false);
  return (
    <Page title={t.choosePassword}>
      <div class="card">
        {isSaved ? (
          <>
            <Notice kind="good">{t.passwordSaved}</Notice>
            <SignInForm next="/" />
          </>
        ) : token ? (
          <>
            {query.has('confirmed') && <Notice kind="info">{t.choosePasswordFirst}</Notice>}
            <NewPasswordForm token={token} onSaved={() => setSaved(true)} />
          </>
        ) : (
          <>
            <Notice kind="error">{t.resetLinkDead}</Notice>
            <Link to="/forgot-password" class="button primary">
              {t.sendLink}
            </Link>
          </>
        )}
      </div>
    </Page>
  );
}

function NewPasswordForm({ token, onSaved }: { token: string; onSaved(): void }) {
  const { t } = useI18n();
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await resetPassword(password, token);
    onSaved();
  });
  return (
    <form onSubmit={sending.submit}>
      <NewPasswordField label={t.newPassword} value={password} onValue={setPassword} />
      <SubmitButton sending={sending}>{t.savePassword}</SubmitButton>
    </form>
  );
}
