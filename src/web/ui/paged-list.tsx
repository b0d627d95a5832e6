// A list that is read page by page: its entries, and a button for the next ones.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from './button.tsx';
import { Pending, useQuery } from './query.tsx';

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
