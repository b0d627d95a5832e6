// The user's lists. It is loaded when it is opened, as all screens of lists are.
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { openRoom } from '../lobby/room-choices.ts';
import { ActionButton } from '../ui/button.tsx';
import { ButtonLink, Link } from '../ui/link.tsx';
import { Notice, Spinner } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useQuery } from '../ui/query.tsx';
import { wordsOfList } from '../words/deck-choice.ts';
import { draftOf, questionsOf } from './draft.ts';
import './lists.css';
import type { WordList } from '../../client/types.ts';
import { useDirectionName } from '../words/names.ts';

/** Opens a room for a class. Only the whole list tells how many questions it has. */
async function hostClass(listId: string): Promise<void> {
  const list = await client.getList(listId);
  await openRoom('class', wordsOfList(list, false, questionsOf(draftOf(list))));
}

export function ListsScreen() {
  const { t } = useI18n();
  const { data, error } = useQuery(client.getLists);
  const lists = data?.lists;
  const create = <ButtonLink to="/lists/new" class="primary" label={t.lists.create} />;
  return (
    <Page title={t.lists.title} aside={create}>
      {error && <Notice kind="error">{error}</Notice>}
      {!lists && !error && <Spinner text={t.loading} />}
      {lists?.length === 0 && <p class="lead">{t.lists.none}</p>}
      {lists && lists.length > 0 && (
        <ul class="card entries ruled">
          {lists.map((list) => (
            <li key={list.listId} class="entry-row">
              <div>
                <Link to={`/lists/${list.listId}`} class="entry-link">
                  <bdi>{list.name}</bdi>
                </Link>
                <ListFacts list={list} />
              </div>
              <ActionButton icon="board" label={t.hostClass} of={list.name} action={() => hostClass(list.listId)} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

/** A list's languages and its number of words in one line. */
export function ListFacts({ list }: { list: Omit<WordList, 'listId' | 'name' | 'updatedAt'> }) {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const { sourceLanguage, targetLanguage, termCount, shared } = list;
  const facts = [
    directionName(sourceLanguage, targetLanguage),
    t.lists.words(termCount),
    ...(shared ? [t.lists.shared] : []),
  ];
  return <span class="hint">{facts.join(' · ')}</span>;
}
