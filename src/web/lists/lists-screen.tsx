// The user's lists. It is loaded when it is opened, as all screens of lists are.
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useQuery } from '../ui/use-query.ts';
import { ListFacts } from './list-facts.tsx';
import './lists.css';

export default function ListsScreen() {
  const { t } = useI18n();
  const { data, error } = useQuery(client.getLists);
  const lists = data?.lists;
  const create = (
    <Link to="/lists/new" class="button primary">
      {t.lists.create}
    </Link>
  );
  return (
    <Page title={t.lists.title} aside={create}>
      {error && <Notice kind="error">{error}</Notice>}
      {!lists && !error && <Spinner text={t.loading} />}
      {lists?.length === 0 && <p class="lead">{t.lists.none}</p>}
      {lists && lists.length > 0 && (
        <ul class="card entries ruled">
          {lists.map((list) => (
            <li key={list.listId}>
              <Link to={`/lists/${list.listId}`} class="entry-link">
                <bdi>{list.name}</bdi>
              </Link>
              <ListFacts list={list} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
