// An address that leads nowhere.
import { Link } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { useI18n } from '../i18n/index.tsx';

export function NotFoundScreen() {
  const { t } = useI18n();
  return (
    <Page title={t.notFound}>
      <p class="lead">{t.notFoundMore}</p>
      <Link to="/" class="button primary">
        {t.home}
      </Link>
    </Page>
  );
}
