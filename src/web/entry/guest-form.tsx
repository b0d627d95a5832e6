// Lets somebody play by a name alone, or host a class.
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { asNetworkLimit, client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { NameField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionButton, SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { getUser, type User } from './auth.ts';
import { DEAD, type InvitationLink } from './invitation.ts';
import { useSession } from './session.tsx';

export interface GuestFormProps {
  /** The invitation, with which the guest doesn't host. A code's guests aren't counted for the network. [contract 22] */
  link: InvitationLink | null;
  /** Called when the user prefers to sign in. */
  onAccount(): void;
}

export function GuestForm({ link, onAccount }: GuestFormProps) {
  const { t, locale } = useI18n();
  const { signedIn } = useSession();
  const [name, setName] = useState('');
  /** The guest, whom the service may have accepted although the room was refused. */
  const guest = useRef<User | null>(null);
  const becomeGuest = async (chosen?: string) => {
    if (!guest.current) {
      const request = {
        ...(chosen !== undefined && { name: chosen }),
        ...(link && link.kind !== 'list' && { code: link.code }),
      };
      await client.createGuest(request).catch((thrown: unknown) => {
        throw thrown instanceof ApiError ? refusalOf(thrown, link) : thrown;
      });
      guest.current = await getUser();
    }
    return guest.current;
  };
  const play = async (chosen?: string) => {
    const user = await becomeGuest(chosen);
    if (user) signedIn(user);
  };
  const sending = useSubmit(() => play(name.trim()));
  const host = async () => {
    const { hostFirstClass } = await import('../lobby/host-first-class.ts');
    const user = await becomeGuest(name.trim() || t.guest.teacher);
    await hostFirstClass(locale);
    if (user) signedIn(user);
  };
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} isFocused={link !== null} />
      <SubmitButton sending={sending}>{t.guest.play}</SubmitButton>
      {link && (
        <ActionButton class="secondary" action={() => play()}>
          {t.guest.pickName}
        </ActionButton>
      )}
      {!link && (
        <ActionButton class="secondary" action={host}>
          <Icon name="board" /> {t.hostClass}
        </ActionButton>
      )}
      <button type="button" class="quiet" onClick={onAccount}>
        {t.guest.haveAccount}
      </button>
    </form>
  );
}

/** @returns the refusal with the code whose text fits a guest */
function refusalOf(error: ApiError, link: InvitationLink | null): ApiError {
  const { status, code, message, errors } = error;
  if (errors?.some(({ path }) => path === 'name')) return new ApiError(status, 'INVALID_NAME', message);
  if (link && code === 'LOBBY_NOT_FOUND') return new ApiError(status, DEAD[link.kind], message);
  return asNetworkLimit(error);
}
