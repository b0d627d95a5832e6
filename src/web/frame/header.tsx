import { useSession } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { isPlaying } from '../lobby/saved-games.ts';
import logo from '../logo.svg';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { navigate } from './router.ts';

export function Header() {
  const { t } = useI18n();
  const { user, signOut } = useSession();
  const leaving = useSubmit(async () => {
    await signOut();
    navigate('/');
  });
  return (
    <header>
      <Link to="/" class="brand">
        <img src={logo} alt={t.appName} width="28" height="28" />
        <span aria-hidden="true">{t.appName}</span>
      </Link>
      {user && (
        <nav>
          <Link to="/account" class="button quiet">
            <Icon name="person" />
            <span class="on-wide">{t.account.title}</span>
          </Link>
          <ConfirmButton
            label={t.signOut}
            question={t.signOutAsk}
            consequence={user.isAnonymous ? t.guest.signOut : t.signOutPlaying}
            stay={t.stay}
            isAsked={() => Boolean(user.isAnonymous) || isPlaying(user.id)}
            onConfirmed={leaving.submit}
          />
        </nav>
      )}
      {leaving.error && <Notice kind="error">{leaving.error}</Notice>}
    </header>
  );
}
