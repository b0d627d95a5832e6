// The screen while a query runs, or after it has failed.
import { useI18n } from '../i18n/index.tsx';
import { Link } from './link.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';
import { Spinner } from './spinner.tsx';

interface QueryFallbackProps {
  /** Null while the query runs. */
  error: string | null;
  /** The screen that lists all items of this kind. */
  parent: { path: string; title: string };
}

export function QueryFallback({ error, parent }: QueryFallbackProps) {
  const { t } = useI18n();
  if (!error) return <Spinner text={t.loading} />;
  return (
    <Page title={t.notFound}>
      <Notice kind="error">{error}</Notice>
      <div class="actions">
        <Link to={parent.path} class="button primary">
          {parent.title}
        </Link>
      </div>
    </Page>
  );
}
