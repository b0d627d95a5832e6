// A list that is read page by page: its entries, and a button for the next ones.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Notice, Spinner } from './notice.tsx';
import { useSubmit } from './submit-button.tsx';

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
  const { t, explain } = useI18n();
  const [found, setFound] = useState<ItemPage<T> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    read().then(setFound, (thrown: unknown) => setFailure(explain(thrown)));
  }, []);
  const more = useSubmit(async () => {
    if (!found?.next) return;
    const { items, next } = await read(found.next);
    setFound({ items: [...found.items, ...items], next });
  });
  const error = failure ?? more.error;
  return (
    <>
      {error && <Notice kind="error">{error}</Notice>}
      {!found && !error && <Spinner text={t.loading} />}
      {found?.items.length === 0 && none && <p class="lead">{none}</p>}
      {found && found.items.length > 0 && (
        <>
          {title && <h2>{title}</h2>}
          <ul class="card entries ruled">{found.items.map(entry)}</ul>
        </>
      )}
      {found?.next && (
        <button type="button" class="secondary" aria-busy={more.isBusy} onClick={more.submit}>
          {older}
        </button>
      )}
    </>
  );
}
