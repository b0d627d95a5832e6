// Back into one's own account, with a code where that is asked for. One that is not confirmed yet is
// taken to its mail.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { signIn, type User } from '../auth.ts';
import { HAS_PASSKEYS } from '../has-passkeys.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepPending } from '../pending-account.ts';
import { navigate } from '../router.ts';
import { useSession } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { EmailField, PasswordField } from './field.tsx';
import { lazy } from './lazy.tsx';
import { Link } from './link.tsx';
import { OnItsWay } from './on-its-way.tsx';
import { SubmitButton } from './submit-button.tsx';

const PasskeySignIn = lazy(() => import('../account/passkey-sign-in.tsx'));
const SecondStep = lazy(() => import('../account/second-step.tsx'), OnItsWay);

interface SignInFormProps {
  /** Where to go afterwards. */
  next: string;
  /** Filled in already. */
  email?: string;
  onSignedIn?(): void;
}

export function SignInForm({ next, email: known = '', onSignedIn }: SignInFormProps) {
  const { t } = useI18n();
  const { signedIn } = useSession();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [isCodeAsked, setCodeAsked] = useState(false);
  const enter = (user: User) => {
    onSignedIn?.();
    signedIn(user);
    navigate(next, { replace: true });
  };
  const sending = useSubmit(async () => {
    try {
      const user = await signIn({ email, password }, next);
      if (user) enter(user);
      else setCodeAsked(true);
    } catch (thrown) {
      if (!(thrown instanceof ApiError && thrown.code === 'EMAIL_NOT_VERIFIED')) throw thrown;
      // The service has sent the mail once more.
      keepPending({ email, next }, password);
      navigate('/check-mail');
    }
  });
  if (isCodeAsked) return <SecondStep onSignedIn={enter} onCancel={() => setCodeAsked(false)} />;
  return (
    <form onSubmit={sending.submit}>
      <EmailField value={email} onValue={setEmail} />
      <PasswordField
        label={t.password}
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      <SubmitButton sending={sending}>{t.signIn}</SubmitButton>
      {HAS_PASSKEYS && <PasskeySignIn onSignedIn={enter} />}
      <p class="fine">
        <Link to="/forgot-password">{t.forgotPassword}</Link>
      </p>
    </form>
  );
}
