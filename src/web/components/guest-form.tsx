// Into the game by a name alone.
import { useState } from 'preact/hooks';
import { client } from '../api.ts';
import { getUser } from '../auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { useSession } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { NameField } from './field.tsx';
import { Notice } from './notice.tsx';

/** @param onAccount somebody would rather sign in */
export function GuestForm({ onAccount }: { onAccount(): void }) {
  const { t } = useI18n();
  const { signedIn } = useSession();
  const [name, setName] = useState('');
  const { isBusy, error, submit } = useSubmit(async () => {
    await client.createGuest({ name: name.trim() });
    const user = await getUser();
    if (user) signedIn(user);
  });
  return (
    <form onSubmit={submit}>
      <NameField value={name} onValue={setName} isFocused />
      {error && <Notice kind="error">{error}</Notice>}
      <button type="submit" class="primary" aria-busy={isBusy}>
        {t.guest.play}
      </button>
      <button type="button" class="quiet" onClick={onAccount}>
        {t.guest.haveAccount}
      </button>
    </form>
  );
}
