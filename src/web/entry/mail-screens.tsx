// The screens around the mails to a new or forgetful account: a mail is on its way, its link confirms the address or
// sets a new password.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { call } from '../api.ts';
import { usePageConfig } from '../frame/page-config.tsx';
import type { OutboxMail } from '../frame/page-schema.ts';
import { navigate } from '../frame/router.ts';
import { safeNext } from '../frame/routes.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, ButtonLink, Link, SubmitButton, useSubmit } from '../ui/button.tsx';
import { EmailField, NameField, NewPasswordField, PasswordField } from '../ui/field.tsx';
import { Notice, Page } from '../ui/page.tsx';
import { onSavedInOtherTab, save } from '../ui/storage.ts';
import { callAuth, clearPending, pendingAccount, signIn, verifiedUrl } from './auth.ts';
import { useSession } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function CheckMailScreen() {
  const { t } = useI18n();
  const { user, signedIn } = useSession();
  // A development server sends no mail; a page of its own shows it.
  const { outbox } = usePageConfig();
  const [account] = useState(pendingAccount);
  const enter = useSubmit(async () => {
    if (!account?.password) {
      navigate(verifiedUrl(account?.next ?? '/'));
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
  const sendAgain = () => {
    const { email = '', next = '/' } = account ?? {};
    return callAuth('/send-verification-email', { email, callbackURL: verifiedUrl(next) });
  };

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
        {outbox && (
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
        )}
        {enter.error && <Notice kind="error">{enter.error}</Notice>}
        <Button class="primary" label={t.confirmed} aria-busy={enter.isBusy} onClick={submit} />
        <ActionButton label={t.sendAgain} done={t.sentAgain} action={sendAgain} />
        <p class="fine">
          <Link to="/">{t.otherAddress}</Link>
        </p>
      </div>
    </Page>
  );
}

/**
 * The link in the confirmation mail leads here in another browser than that of the sign-up, such as on the phone. The
 * password of the sign-up proves that the same person opens it. The owner of an address that somebody else has signed
 * up with chooses a new password and name instead.
 */
export function VerifyScreen() {
  const { t } = useI18n();
  const [token] = useState(() => new URLSearchParams(location.search).get('token'));
  const [isChoosing, setChoosing] = useState(false);
  return (
    <Page title={t.verify.title}>
      <div class="card">
        {!token ? (
          <>
            <Notice kind="error">{t.verifyLinkDead}</Notice>
            <SignInForm next="/" />
          </>
        ) : (
          <>
            <p class="lead">{isChoosing ? t.verify.chooseWhy : t.verify.why}</p>
            {isChoosing ? <ChoiceForm token={token} /> : <PasswordForm token={token} />}
            <Button
              label={isChoosing ? t.verify.knowPassword : t.verify.choose}
              onClick={() => setChoosing(!isChoosing)}
            />
            <p class="fine">{t.verify.notYou}</p>
          </>
        )}
      </div>
    </Page>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { t } = useI18n();
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => redirect(await callAuth('/verify-email/confirm', { token, password })));
  return (
    <form onSubmit={sending.submit}>
      <PasswordField
        label={t.verify.password}
        autoComplete="current-password"
        maxLength={128}
        value={password}
        onValue={setPassword}
      />
      <SubmitButton sending={sending} label={t.verify.submit} />
    </form>
  );
}

function ChoiceForm({ token }: { token: string }) {
  const { t } = useI18n();
  const [name, setName] = useState('');
  const [newPassword, setPassword] = useState('');
  const sending = useSubmit(async () => redirect(await callAuth('/verify-email/choose', { token, name, newPassword })));
  return (
    <form onSubmit={sending.submit}>
      <NameField isFocused value={name} onValue={setName} />
      <NewPasswordField label={t.newPassword} value={newPassword} onValue={setPassword} />
      <SubmitButton sending={sending} label={t.verify.submit} />
    </form>
  );
}

/**
 * Goes on after a link has confirmed its address.
 * @param reply names the redirect of the request for the mail; the service has checked that it leads to a trusted page
 */
function redirect({ url = '/verified' }: { url?: string }): void {
  location.assign(url);
}

/** The storage key whose changes the waiting window observes. */
const VERIFIED = 'verified';

/**
 * The target of the link in the confirmation mail. A window that waits for the confirmation is notified and signs in
 * for both; without one, the user signs in here.
 */
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

export function ForgotPasswordScreen() {
  const { t } = useI18n();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sending = useSubmit(async () => {
    await callAuth('/request-password-reset', { email, redirectTo: '/reset-password' });
    setSentTo(email);
  });
  return (
    <Page title={t.forgotPassword}>
      <form class="card" onSubmit={sending.submit}>
        <p class="lead">{t.forgotPasswordMore}</p>
        <EmailField value={email} onValue={setEmail} />
        {sentTo && <Notice kind="good">{t.resetSent(sentTo)}</Notice>}
        <SubmitButton sending={sending} label={t.sendLink} />
        <p class="fine">
          <Link to="/">{t.signIn}</Link>
        </p>
      </form>
    </Page>
  );
}

/** The target of the link in the reset mail: a new password, then a sign-in with it. */
export function ResetPasswordScreen() {
  const { t } = useI18n();
  const [token] = useState(() => new URLSearchParams(location.search).get('token'));
  const [isSaved, setSaved] = useState(false);
  return (
    <Page title={t.choosePassword}>
      <div class="card">
        {isSaved ? (
          <>
            <Notice kind="good">{t.passwordSaved}</Notice>
            <SignInForm next="/" />
          </>
        ) : token ? (
          <NewPasswordForm token={token} onSaved={() => setSaved(true)} />
        ) : (
          <>
            <Notice kind="error">{t.resetLinkDead}</Notice>
            <ButtonLink to="/forgot-password" class="primary" label={t.sendLink} />
          </>
        )}
      </div>
    </Page>
  );
}

function NewPasswordForm({ token, onSaved }: { token: string; onSaved(): void }) {
  const { t } = useI18n();
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await callAuth('/reset-password', { newPassword: password, token });
    onSaved();
  });
  return (
    <form onSubmit={sending.submit}>
      <NewPasswordField label={t.newPassword} value={password} onValue={setPassword} />
      <SubmitButton sending={sending} label={t.savePassword} />
    </form>
  );
}

const REFRESH_MS = 1500;

export function OutboxScreen() {
  const { t } = useI18n();
  const [mails, setMails] = useState<OutboxMail[]>([]);
  useEffect(() => {
    // The worker writes a mail a moment after it was requested.
    const loadMails = () => {
      call<{ mails: OutboxMail[] }>('GET', '/web/outbox.json').then(
        (outbox) => setMails(outbox.mails),
        () => {},
      );
    };
    loadMails();
    const timer = setInterval(loadMails, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page title={t.outbox}>
      <p class="lead">{mails.length > 0 ? t.outboxMore : t.outboxEmpty}</p>
      <ul class="mails">
        {mails.map(({ to, subject, url }) => (
          <li key={url} class="card">
            <div>
              <strong lang="en">{subject}</strong>
              <p class="hint">{t.outboxTo(to)}</p>
            </div>
            <a class="button primary" href={here(url)}>
              {t.outboxOpen}
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** @returns the link's path, so that it opens on the page's own origin, whichever origin the mail names */
function here(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
