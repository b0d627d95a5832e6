// Into the game by a name alone.
import { useState } from 'preact/hooks';
import { client } from '../api.ts';
import { getUser } from '../auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { useSession } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { NameField } from './field.tsx';
import { SubmitButton } from './submit-button.tsx';

/** @param onAccount somebody would rather sign in */
export function GuestForm({ onAccount }: { onAccount(): void }) {
  const { t } = useI18n();
  const { signedIn } = useSession();
  const [name, setName] = useState('');
  const sending = useSubmit(async () => {
    await client.createGuest({ name: name.trim() });
    const user = await getUser();
    if (user) signedIn(user);
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} isFocused />
      <SubmitButton sending={sending}>{t.guest.play}</SubmitButton>
      <button type="button" class="quiet" onClick={onAccount}>
        {t.guest.haveAccount}
      </button>
    </form>
  );
}
