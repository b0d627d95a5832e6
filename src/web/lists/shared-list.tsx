// Somebody else's list: to play as it is, or to copy.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { Page } from '../components/page.tsx';
import { ActionButton } from '../components/submit-button.tsx';
import { WaysToPlay } from '../components/ways-to-play.tsx';
import { wordsOfList } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { draftOf, questionsOf, requestOf } from './draft.ts';
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
      <div class="columns">
        <WaysToPlay words={wordsOfList(list, questionsOf(draft))} />
      </div>
      <div class="stack">
        <ActionButton class="secondary" action={copy}>
          {t.lists.copy}
        </ActionButton>
      </div>
      <div class="card">
        <TermRows list={draft} />
      </div>
    </Page>
  );
}
