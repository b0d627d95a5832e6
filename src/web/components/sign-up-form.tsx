// A new account. It is confirmed by mail before the first sign-in.
import { useState } from 'preact/hooks';
import { signUp } from '../auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepPending } from '../pending-account.ts';
import { navigate } from '../router.ts';
import { useSubmit } from '../use-submit.ts';
import { EmailField, NameField, NewPasswordField } from './field.tsx';
import { SubmitButton } from './submit-button.tsx';

/** @param next where to go once the address is confirmed */
export function SignUpForm({ next }: { next: string }) {
  const { t } = useI18n();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await signUp({ name: name.trim(), email, password }, next);
    keepPending({ email, next }, password);
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
