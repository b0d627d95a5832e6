// Signs in by a passkey. It is loaded only in browsers that support passkeys.
import type { User } from '../entry/auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import { signInByPasskey } from './passkey-operations.ts';

export function PasskeySignIn({ onSignedIn }: { onSignedIn(user: User): void }) {
  const { t } = useI18n();
  return (
    <ActionButton class="secondary" action={async () => onSignedIn(await signInByPasskey())}>
      {t.signInByPasskey}
    </ActionButton>
  );
}
