// The top of every screen: home, and who is signed in.

import { useI18n } from '../i18n/index.tsx';
import logo from '../logo.svg';
import { navigate } from '../router.ts';
import { useSession } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { Link } from './link.tsx';
import { Notice } from './notice.tsx';

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
        <img src={logo} alt="" width="28" height="28" />
        <span>{t.appName}</span>
      </Link>
      {user && (
        <button type="button" class="quiet" onClick={leaving.submit}>
          {t.signOut}
        </button>
      )}
      {leaving.error && <Notice kind="error">{leaving.error}</Notice>}
    </header>
  );
}
