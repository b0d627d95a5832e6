// The screen of another user's shared list, which can be played and copied.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import { WaysToPlay } from '../home/ways-to-play.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Page } from '../ui/page.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import { wordsOfList } from '../words/deck-choice.ts';
import { draftOf, questionsOf, requestOf } from './draft.ts';
import { ListActions } from './list-actions.tsx';
import { ListFacts } from './list-facts.tsx';
import { TermRows } from './term-rows.tsx';

export function SharedList({ list }: { list: WordListWithTerms }) {
  const { t } = useI18n();
  const { name } = list;
  const draft = draftOf(list);
  const copy = async () => {
    const { listId } = await client.createList({ ...requestOf(draft), shared: false });
    navigate(`/lists/${listId}`);
  };
  return (
    <Page title={name} heading={<bdi>{name}</bdi>} aside={<ListFacts list={list} />} width="wide">
      <p class="lead">{t.lists.fromSomebody}</p>
      <div class="columns columns-ways">
        <WaysToPlay words={wordsOfList(list, questionsOf(draft))} />
      </div>
      <ListActions {...list}>
        <ActionButton class="secondary" action={copy}>
          {t.lists.copy}
        </ActionButton>
      </ListActions>
      <div class="card">
        <TermRows list={draft} />
      </div>
    </Page>
  );
}
