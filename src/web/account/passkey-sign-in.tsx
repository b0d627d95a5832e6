// The way in without address and password. Loaded where the browser has passkeys.
import type { User } from '../auth.ts';
import { Notice } from '../components/notice.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useSubmit } from '../use-submit.ts';
import { signInByPasskey } from './passkey-operations.ts';

export default function PasskeySignIn({ onSignedIn }: { onSignedIn(user: User): void }) {
  const { t } = useI18n();
  const { isBusy, error, submit } = useSubmit(async () => onSignedIn(await signInByPasskey()));
  return (
    <>
      <button type="button" class="secondary" aria-busy={isBusy} onClick={submit}>
        {t.signInByPasskey}
      </button>
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
}
