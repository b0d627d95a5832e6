import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { EmailField } from '../ui/field.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { requestPasswordReset } from './auth.ts';

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
