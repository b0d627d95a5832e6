// The way in without address and password. Loaded where the browser has passkeys.
import type { User } from '../auth.ts';
import { ActionButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { signInByPasskey } from './passkey-operations.ts';

export default function PasskeySignIn({ onSignedIn }: { onSignedIn(user: User): void }) {
  const { t } = useI18n();
  return (
    <ActionButton class="secondary" action={async () => onSignedIn(await signInByPasskey())}>
      {t.signInByPasskey}
    </ActionButton>
  );
}
