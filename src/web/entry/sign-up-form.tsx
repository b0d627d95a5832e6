// Creates an account. Its address is confirmed by mail before the first sign-in.
import { useState } from 'preact/hooks';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { EmailField, NameField, NewPasswordField } from '../ui/field.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { signUp } from './auth.ts';
import { savePending } from './pending-account.ts';

/** @param next the path to go to after the confirmation */
export function SignUpForm({ next }: { next: string }) {
  const { t } = useI18n();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await signUp({ name: name.trim(), email, password }, next);
    savePending({ email, next }, password);
    navigate('/check-mail');
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} />
      <EmailField value={email} onValue={setEmail} />
      <NewPasswordField label={t.password} value={password} onValue={setPassword} />
      <SubmitButton sending={sending}>{t.signUp}</SubmitButton>
    </form>
  );
}
