// One's own lists of words. Loaded when it is opened, as all screens of lists are.
import { client } from '../api.ts';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Waiting } from '../components/waiting.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useAsked } from '../use-asked.ts';
import { ListFacts } from './list-facts.tsx';
import './lists.css';

export default function ListsScreen() {
  const { t } = useI18n();
  const { found, error } = useAsked(client.getLists);
  const lists = found?.lists;
  const create = (
    <Link to="/lists/new" class="button primary">
      {t.lists.create}
    </Link>
  );
  return (
    <Page title={t.lists.title} aside={create}>
      {error && <Notice kind="error">{error}</Notice>}
      {!lists && !error && <Waiting text={t.loading} />}
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
