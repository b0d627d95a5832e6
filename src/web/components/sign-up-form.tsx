// A new account. It is confirmed by mail before the first sign-in.
import { useState } from 'preact/hooks';
import { signUp } from '../auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepPending } from '../pending-account.ts';
import { navigate } from '../router.ts';
import { useSubmit } from '../use-submit.ts';
import { Field, PasswordField } from './field.tsx';
import { Notice } from './notice.tsx';

/** @param next where to go once the address is confirmed */
export function SignUpForm({ next }: { next: string }) {
  const { t } = useI18n();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, error, submit } = useSubmit(async () => {
    await signUp({ name: name.trim(), email, password }, next);
    keepPending({ email, next }, password);
    navigate('/check-mail');
  });
  return (
    <form onSubmit={submit}>
      <Field
        label={t.name}
        hint={t.nameHint}
        name="name"
        autoComplete="nickname"
        maxLength={100}
        value={name}
        onValue={setName}
      />
      <Field
        label={t.email}
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onValue={setEmail}
      />
      <PasswordField
        label={t.password}
        hint={t.passwordHint}
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        value={password}
        onValue={setPassword}
      />
      {error && <Notice kind="error">{error}</Notice>}
      <button type="submit" class="primary" aria-busy={isBusy}>
        {t.signUp}
      </button>
    </form>
  );
}
