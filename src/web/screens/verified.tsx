// Where the link in the verification mail ends. The window that waits for it is told, and signs in
// for both; where there is none, the user signs in here.
import { useEffect } from 'preact/hooks';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { SignInForm } from '../components/sign-in-form.tsx';
import { useI18n } from '../i18n/index.tsx';
import { pendingAccount } from '../pending-account.ts';
import { navigate } from '../router.ts';
import { safeNext } from '../routes.ts';
import { useSession } from '../session.tsx';
import { save } from '../storage.ts';

/** What the waiting window listens to. */
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
    // A guest has still to sign in.
    if (user && !user.isAnonymous) navigate(next, { replace: true });
  }, [user, next]);

  const email = pendingAccount()?.email;
  return (
    <Page title={hasFailed ? t.signIn : t.verified}>
      <div class="card">
        {hasFailed ? (
          <Notice kind="error">{t.verifyLinkDead}</Notice>
        ) : (
          <p class="lead">{t.verifiedMore}</p>
        )}
        <SignInForm next={next} {...(email && { email })} />
      </div>
    </Page>
  );
}
