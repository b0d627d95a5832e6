// A request that a screen sends when it is opened, and the screen until it is answered or after it has failed.
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { ButtonLink } from './link.tsx';
import { Notice, Spinner } from './notice.tsx';
import { Page } from './page.tsx';

interface Query<T> {
  /** Null until the response is there. */
  data: T | null;
  /** Why the request failed, in words for the user. */
  error: string | null;
}

/** @param id the request is sent again when it changes */
export function useQuery<T>(request: () => Promise<T>, id = ''): Query<T> {
  const { explain } = useI18n();
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setData(null);
    setError(null);
    request().then(
      (reply) => isCurrent && setData(reply),
      (thrown: unknown) => isCurrent && setError(explain(thrown)),
    );
    // A reply that comes after the next request was sent is of the screen before.
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return { data, error };
}

/** A part of a screen while its request runs, or after it has failed. @param props.error null while it runs */
export function Pending({ error }: { error: string | null }) {
  const { t } = useI18n();
  return error ? <Notice kind="error">{error}</Notice> : <Spinner text={t.loading} />;
}

interface QueryFallbackProps {
  /** Null while the query runs. */
  error: string | null;
  /** The screen that lists all items of this kind. */
  parent: { path: string; title: string };
}

/** The screen while a query runs, or after it has failed. */
export function QueryFallback({ error, parent }: QueryFallbackProps) {
  const { t } = useI18n();
  if (!error) return <Pending error={error} />;
  return (
    <Page title={t.notFound}>
      <Notice kind="error">{error}</Notice>
      <div class="actions">
        <ButtonLink to={parent.path} class="primary" label={parent.title} />
      </div>
    </Page>
  );
}
