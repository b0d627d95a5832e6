// The target of the link in the confirmation mail. A window that waits for the confirmation is notified and
// signs in for both; without one, the user signs in here.
import { useEffect } from 'preact/hooks';
import { navigate } from '../frame/router.ts';
import { safeNext } from '../frame/routes.ts';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { save } from '../ui/storage.ts';
import { pendingAccount } from './pending-account.ts';
import { useSession } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The storage key whose changes the waiting window observes. */
export const VERIFIED = 'verified';

export function VerifiedScreen() {
  const { t } = useI18n();
  const { user } = useSession();
  const query = new URLSearchParams(location.search);
  const next = safeNext(query.get('next'));
  const hasFailed = query.has('error');

  useEffect(() => {
    if (!hasFailed) save('device', VERIFIED, Math.random());
  }, [hasFailed]);
  useEffect(() => {
    // A guest has confirmed an account but is not signed in to it.
    if (user && !user.isAnonymous) navigate(next, { replace: true });
  }, [user, next]);

  const email = pendingAccount()?.email;
  return (
    <Page title={hasFailed ? t.signIn : t.verified}>
      <div class="card">
        {hasFailed ? <Notice kind="error">{t.verifyLinkDead}</Notice> : <p class="lead">{t.verifiedMore}</p>}
        <SignInForm next={next} {...(email && { email })} />
      </div>
    </Page>
  );
}
