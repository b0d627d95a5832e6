import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

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
