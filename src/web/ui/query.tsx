// A request that a screen sends when it is opened, what is shown until it is answered or after it has failed, and a list
// that is read page by page.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, ButtonLink } from './button.tsx';
import { Notice, Page, Spinner } from './page.tsx';

/**
 * @param id the request is sent again when it changes
 * @returns the response, null until it is there, or in words why the request has failed
 */
export function useQuery<T>(request: () => Promise<T>, id = '') {
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

/** The screen while a query runs, or after it has failed. */
export function QueryFallback({ error, parent }: { error: string | null; parent: { path: string; title: string } }) {
  const { t } = useI18n();
  if (!error) return <Pending error={null} />;
  return (
    <Page title={t.notFound}>
      <Notice kind="error">{error}</Notice>
      <div class="actions">
        <ButtonLink to={parent.path} class="primary" label={parent.title} />
      </div>
    </Page>
  );
}

interface ItemPage<T> {
  items: T[];
  /** Where the next page begins; null after the last one. */
  next: string | null;
}

interface PagedListProps<T> {
  /** Shown above the entries; without any entry neither it nor `none` is shown where `none` is absent. */
  title?: string;
  /** @param before where the page begins; absent for the first one */
  read(before?: string): Promise<ItemPage<T>>;
  /** Shown if there is no entry. */
  none?: string;
  /** The label of the button for the next page. */
  older: string;
  /** Renders an entry, a list item with a key. */
  entry(item: T): ComponentChildren;
}

export function PagedList<T>({ title, read, none, older, entry }: PagedListProps<T>) {
  const { data: first, error } = useQuery(() => read());
  const [later, setLater] = useState<ItemPage<T> | null>(null);
  const items = [...(first?.items ?? []), ...(later?.items ?? [])];
  const { next = null } = later ?? first ?? {};
  const more = async () => {
    const found = await read(next ?? undefined);
    setLater({ items: [...(later?.items ?? []), ...found.items], next: found.next });
  };
  if (!first) return <Pending error={error} />;
  return (
    <>
      {items.length === 0 && none && <p class="lead">{none}</p>}
      {items.length > 0 && (
        <>
          {title && <h2>{title}</h2>}
          <ul class="card entries ruled">{items.map(entry)}</ul>
        </>
      )}
      {next && <ActionButton label={older} action={more} />}
    </>
  );
}
