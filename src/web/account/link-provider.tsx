// Links the house's own identity provider to the account. A sign-in by it does not do that, although Google's and
// GitHub's do, so that a user who had an account before needs this button. [contract 22]
import { linkWith } from '../entry/auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import type { SignInMethods } from './operations.ts';

/** @param name the provider's name */
export function LinkProvider({ methods, name }: { methods: SignInMethods; name: string }) {
  const { t } = useI18n();
  if (methods.providers.includes('oidc')) return <p class="hint">{t.account.linked(name)}</p>;
  const hasFailed = new URLSearchParams(location.search).has('error');
  return (
    <>
      <p class="hint">{t.account.linkMore(name)}</p>
      {hasFailed && <Notice kind="error">{t.errors.LINK_FAILED}</Notice>}
      <ActionButton class="secondary" action={() => linkWith('oidc', '/account')}>
        {t.account.link(name)}
      </ActionButton>
    </>
  );
}
