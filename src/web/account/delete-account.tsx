// The end of an account, asked once: by its password, or by a sign-in that is fresh.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Notice } from '../components/notice.tsx';
import { SocialButton } from '../components/social-sign-in.tsx';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { useSession } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { deleteAccount, type WaysIn } from './operations.ts';
import { PasswordStep } from './password-step.tsx';

export function DeleteAccount({ ways }: { ways: WaysIn }) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const remove = async (password?: string) => {
    await signOut(() => deleteAccount(password));
    navigate('/', { replace: true });
  };
  return (
    <>
      <p class="hint">{t.account.deleteMore}</p>
      {ways.hasPassword ? (
        <PasswordStep label={t.account.delete} kind="danger" onConfirmed={remove} />
      ) : (
        <DeleteWhenFresh ways={ways} onConfirmed={remove} />
      )}
    </>
  );
}

function DeleteWhenFresh({ ways, onConfirmed }: { ways: WaysIn; onConfirmed(): Promise<void> }) {
  const { t } = useI18n();
  const [isStale, setStale] = useState(false);
  const { error, submit } = useSubmit(async () => {
    setStale(false);
    await onConfirmed().catch((thrown: unknown) => {
      setStale(thrown instanceof ApiError && thrown.code === 'SESSION_EXPIRED');
      throw thrown;
    });
  });
  return (
    <>
      <ConfirmButton
        class="danger"
        label={t.account.delete}
        question={t.account.deleteAsk}
        consequence={t.account.deleteForGood}
        onConfirmed={submit}
      />
      {error && <Notice kind="error">{error}</Notice>}
      {isStale &&
        ways.providers.map((provider) => (
          <SocialButton key={provider} provider={provider} next="/account" />
        ))}
    </>
  );
}
