// Waits for the link in the confirmation mail. When it is opened in another window of this browser, this page
// signs in by itself; if it was opened elsewhere, a button does so.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { usePageConfig } from '../frame/page-config.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { onSavedInOtherTab, save } from '../ui/storage.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { sendVerification, signIn } from './auth.ts';
import { clearPending, pendingAccount } from './pending-account.ts';
import { useSession } from './session.tsx';
import { VERIFIED } from './verified.tsx';

export function CheckMailScreen() {
  const { t } = useI18n();
  const { user, signedIn } = useSession();
  const [account] = useState(pendingAccount);
  const [isSentAgain, setSentAgain] = useState(false);

  const enter = useSubmit(async () => {
    if (!account?.password) {
      navigate(`/verified?${new URLSearchParams({ next: account?.next ?? '/' })}`);
      return;
    }
    try {
      const { email, password, next } = account;
      const found = await signIn({ email, password }, next);
      clearPending();
      save('device', 'has-account', true);
      if (found) signedIn(found);
      navigate(next, { replace: true });
    } catch (thrown) {
      if (!(thrown instanceof ApiError && thrown.code === 'EMAIL_NOT_VERIFIED')) throw thrown;
      enter.setError(t.notConfirmedYet);
    }
  });
  const again = useSubmit(async () => {
    if (account) await sendVerification(account.email, account.next);
    setSentAgain(true);
  });

  const { submit } = enter;
  useEffect(() => onSavedInOtherTab(VERIFIED, () => submit(new Event('verified'))), [submit]);
  useEffect(() => {
    if (user && !user.isAnonymous) navigate(account?.next ?? '/', { replace: true });
    else if (!account) navigate('/', { replace: true });
  }, [user, account]);

  if (!account) return null;
  return (
    <Page title={t.checkMail}>
      <div class="card">
        <p class="lead">{t.checkMailMore(account.email)}</p>
        <OutboxHint />
        {enter.error && <Notice kind="error">{enter.error}</Notice>}
        <button type="button" class="primary" aria-busy={enter.isBusy} onClick={submit}>
          {t.confirmed}
        </button>
        <button type="button" class="secondary" aria-busy={again.isBusy} onClick={again.submit}>
          {t.sendAgain}
        </button>
        {isSentAgain && <Notice kind="good">{t.sentAgain}</Notice>}
        {again.error && <Notice kind="error">{again.error}</Notice>}
        <p class="fine">
          <Link to="/">{t.otherAddress}</Link>
        </p>
      </div>
    </Page>
  );
}

/** A development server sends no mail; this links to the page that shows it. */
function OutboxHint() {
  const { t } = useI18n();
  const { outbox } = usePageConfig();
  if (!outbox) return null;
  return (
    <Notice kind="info">
      {t.devOutbox}{' '}
      {outbox === 'here' ? (
        <a href="/outbox" target="_blank" rel="noopener">
          {t.devOutboxOpen}
        </a>
      ) : (
        t.devOutboxElsewhere
      )}
    </Notice>
  );
}
