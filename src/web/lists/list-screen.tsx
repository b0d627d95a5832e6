// A list by its address, which is also the link that it is shared by: to play, and to change or copy.
import { useEffect, useState } from 'preact/hooks';
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Waiting } from '../components/waiting.tsx';
import { useI18n } from '../i18n/index.tsx';
import { OwnList } from './own-list.tsx';
import { SharedList } from './shared-list.tsx';
import './lists.css';

interface Found {
  list: WordListWithTerms;
  isOwn: boolean;
}

export default function ListScreen({ listId }: { listId: string }) {
  const { t, explain } = useI18n();
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    findList(listId).then(setFound, (thrown: unknown) => setError(explain(thrown)));
  }, [listId]);
  if (found?.isOwn) return <OwnList list={found.list} />;
  if (found) return <SharedList list={found.list} />;
  if (!error) return <Waiting text={t.loading} />;
  return (
    <Page title={t.notFound}>
      <Notice kind="error">{error}</Notice>
      <div class="actions">
        <Link to="/lists" class="button primary">
          {t.lists.title}
        </Link>
      </div>
    </Page>
  );
}

/** @throws ApiError LIST_NOT_FOUND */
async function findList(listId: string): Promise<Found> {
  const [list, { lists }] = await Promise.all([client.getList(listId), client.getLists()]);
  return { list, isOwn: lists.some((own) => own.listId === list.listId) };
}
