// The target of the link in the reset mail: a new password, then a sign-in with it.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { NewPasswordField } from '../ui/field.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { resetPassword } from './auth.ts';
import { SignInForm } from './sign-in-form.tsx';

export function ResetPasswordScreen() {
  const { t } = useI18n();
  const [token] = useState(() => new URLSearchParams(location.search).get('token'));
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
          <NewPasswordForm token={token} onSaved={() => setSaved(true)} />
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
