// Asks for the mail with which a new password is chosen.
import { useState } from 'preact/hooks';
import { requestPasswordReset } from '../auth.ts';
import { EmailField } from '../components/field.tsx';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useSubmit } from '../use-submit.ts';

export function ForgotPasswordScreen() {
  const { t } = useI18n();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sending = useSubmit(async () => {
    await requestPasswordReset(email);
    setSentTo(email);
  });
  return (
    <Page title={t.forgotPassword}>
      <form class="card" onSubmit={sending.submit}>
        <p class="lead">{t.forgotPasswordMore}</p>
        <EmailField value={email} onValue={setEmail} />
        {sentTo && <Notice kind="good">{t.resetSent(sentTo)}</Notice>}
        <SubmitButton sending={sending}>{t.sendLink}</SubmitButton>
        <p class="fine">
          <Link to="/">{t.signIn}</Link>
        </p>
      </form>
    </Page>
  );
}
