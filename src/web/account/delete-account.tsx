// Deletes the account, which needs its password, or a fresh sign-in if it has none.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { useSession } from '../entry/session.tsx';
import { SocialButton } from '../entry/social-sign-in.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { deleteAccount, type SignInMethods } from './operations.ts';
import { PasswordStep } from './password-step.tsx';

export function DeleteAccount({ methods }: { methods: SignInMethods }) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const remove = async (password?: string) => {
    await signOut(() => deleteAccount(password));
    navigate('/', { replace: true });
  };
  return (
    <>
      <p class="hint">{t.account.deleteMore}</p>
      {methods.hasPassword ? (
        <PasswordStep label={t.account.delete} kind="danger" onConfirmed={remove} />
      ) : (
        <DeleteWhenFresh methods={methods} onConfirmed={remove} />
      )}
    </>
  );
}

function DeleteWhenFresh({ methods, onConfirmed }: { methods: SignInMethods; onConfirmed(): Promise<void> }) {
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
        methods.providers.map((provider) => <SocialButton key={provider} provider={provider} next="/account" />)}
    </>
  );
}
