// The frame of every screen: the header with the account, the footer with the language. The screen of an unknown address
// is here too.
import type { AccountChange } from '../../client/types.ts';
import { client } from '../api.ts';
import { SoundSwitch } from '../effects/effects.tsx';
import { useSession } from '../entry/session.tsx';
import { LOCALES, type Locale, useI18n } from '../i18n/index.tsx';
import { isPlaying } from '../lobby/saved-games.ts';
import logo from '../logo.svg';
import { ButtonLink, ConfirmButton, Link } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { navigate } from './router.ts';

export function Header() {
  const { t } = useI18n();
  const { user, signOut } = useSession();
  const leave = async () => {
    await signOut();
    navigate('/');
  };
  return (
    <header class={user ? 'row apart is-known' : 'row apart'}>
      <Link to="/" class="brand">
        <img src={logo} alt={t.appName} width="28" height="28" />
        <span aria-hidden="true">{t.appName}</span>
      </Link>
      {user && (
        <nav>
          <ButtonLink to="/account" class="quiet" icon="person" label={t.account.title} isShort />
          <ConfirmButton
            label={t.signOut}
            question={t.signOutAsk}
            consequence={user.isAnonymous ? t.guest.signOut : t.signOutPlaying}
            stay={t.stay}
            isAsked={() => Boolean(user.isAnonymous) || isPlaying(user.id)}
            action={leave}
          />
        </nav>
      )}
    </header>
  );
}

export function Footer() {
  const { t, locale, setLocale } = useI18n();
  const { user } = useSession();
  const choose = (next: Locale) => {
    setLocale(next);
    // The user's mails are in the same language. The page has it in any case.
    if (user) client.updateAccount({ language: next as AccountChange['language'] }).catch(() => {});
  };
  return (
    <footer class="row centered">
      <select aria-label={t.language} value={locale} onChange={(event) => choose(event.currentTarget.value)}>
        {LOCALES.map(([code, ownName]) => (
          <option key={code} value={code} lang={code}>
            {ownName}
          </option>
        ))}
      </select>
      <SoundSwitch />
      <a href="/docs">{t.api}</a>
    </footer>
  );
}

export function NotFoundScreen() {
  const { t } = useI18n();
  return (
    <Page title={t.notFound}>
      <p class="lead">{t.notFoundMore}</p>
      <ButtonLink to="/" class="primary" label={t.home} />
    </Page>
  );
}
