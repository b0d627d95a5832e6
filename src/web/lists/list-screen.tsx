// The screen of a list. Its address is also the link that shares it.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { QueryFallback } from '../ui/query-fallback.tsx';
import { useQuery } from '../ui/use-query.ts';
import { OwnList } from './own-list.tsx';
import { SharedList } from './shared-list.tsx';
import './lists.css';

interface FoundList {
  list: WordListWithTerms;
  isOwn: boolean;
}

export function ListScreen({ listId }: { listId: string }) {
  const { t } = useI18n();
  const { data, error } = useQuery(() => findList(listId), listId);
  if (data?.isOwn) return <OwnList list={data.list} />;
  if (data) return <SharedList list={data.list} />;
  return <QueryFallback error={error} parent={{ path: '/lists', title: t.lists.title }} />;
}

/** @throws ApiError LIST_NOT_FOUND */
async function findList(listId: string): Promise<FoundList> {
  const [list, { lists }] = await Promise.all([client.getList(listId), client.getLists()]);
  return { list, isOwn: lists.some((own) => own.listId === list.listId) };
}
