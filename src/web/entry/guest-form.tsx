import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { NameField } from '../ui/field.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { getUser } from './auth.ts';
import { useSession } from './session.tsx';

/** @param onAccount called when the user prefers to sign in */
export function GuestForm({ onAccount }: { onAccount(): void }) {
  const { t } = useI18n();
  const { signedIn } = useSession();
  const [name, setName] = useState('');
  const sending = useSubmit(async () => {
    await client.createGuest({ name: name.trim() }).catch((thrown: unknown) => {
      throw isBadName(thrown) ? new ApiError(400, 'INVALID_NAME', thrown.message) : thrown;
    });
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

function isBadName(thrown: unknown): thrown is ApiError {
  return thrown instanceof ApiError && thrown.errors?.some(({ path }) => path === 'name') === true;
}
