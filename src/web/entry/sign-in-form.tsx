// Signs in by password, passkey or provider, with the second step if the account has one. An unconfirmed
// account is led to its mail.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link, SubmitButton, useSubmit } from '../ui/button.tsx';
import { EmailField, PasswordField } from '../ui/field.tsx';
import { lazy, lazyScreen } from '../ui/lazy.tsx';
import { HAS_PASSKEYS, savePending, signIn, type User } from './auth.ts';
import { useSession } from './session.tsx';

const PasskeySignIn = lazy(async () => (await import('../account/passkeys.tsx')).PasskeySignIn);
const SecondStep = lazyScreen(async () => (await import('../account/second-factor.tsx')).SecondStep);

interface SignInFormProps {
  next: string;
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
      savePending({ email, next }, password);
      navigate('/check-mail');
    }
  });
  if (isCodeAsked) return <SecondStep onSignedIn={enter} onCancel={() => setCodeAsked(false)} />;
  return (
    <form onSubmit={sending.submit}>
      <EmailField value={email} onValue={setEmail} />
      <PasswordField label={t.password} autoComplete="current-password" value={password} onValue={setPassword} />
      <SubmitButton sending={sending} label={t.signIn} />
      {HAS_PASSKEYS && <PasskeySignIn onSignedIn={enter} />}
      <p class="fine">
        <Link to="/forgot-password">{t.forgotPassword}</Link>
      </p>
    </form>
  );
}
