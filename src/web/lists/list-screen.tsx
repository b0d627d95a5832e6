// A list by its address, which is also the link that it is shared by: to play, and to change or copy.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { NotThere } from '../components/not-there.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useAsked } from '../use-asked.ts';
import { OwnList } from './own-list.tsx';
import { SharedList } from './shared-list.tsx';
import './lists.css';

interface Found {
  list: WordListWithTerms;
  isOwn: boolean;
}

export default function ListScreen({ listId }: { listId: string }) {
  const { t } = useI18n();
  const { found, error } = useAsked(() => findList(listId), listId);
  if (found?.isOwn) return <OwnList list={found.list} />;
  if (found) return <SharedList list={found.list} />;
  return <NotThere error={error} others={{ path: '/lists', title: t.lists.title }} />;
}

/** @throws ApiError LIST_NOT_FOUND */
async function findList(listId: string): Promise<Found> {
  const [list, { lists }] = await Promise.all([client.getList(listId), client.getLists()]);
  return { list, isOwn: lists.some((own) => own.listId === list.listId) };
}
