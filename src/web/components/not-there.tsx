// The screen of something with an address of its own, until it is there, or because it is not.
import { useI18n } from '../i18n/index.tsx';
import { Link } from './link.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';
import { Waiting } from './waiting.tsx';

interface NotThereProps {
  /** Null while it is asked for. */
  error: string | null;
  /** Where the others of its kind are. */
  others: { path: string; title: string };
}

export function NotThere({ error, others }: NotThereProps) {
  const { t } = useI18n();
  if (!error) return <Waiting text={t.loading} />;
  return (
    <Page title={t.notFound}>
      <Notice kind="error">{error}</Notice>
      <div class="actions">
        <Link to={others.path} class="button primary">
          {others.title}
        </Link>
      </div>
    </Page>
  );
}
