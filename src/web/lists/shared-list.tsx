// Somebody else's list: to play as it is, or to copy.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { WaysToPlay } from '../components/ways-to-play.tsx';
import { wordsOfList } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { useSubmit } from '../use-submit.ts';
import { draftOf, questionsOf, requestOf } from './draft.ts';
import { ListFacts } from './list-facts.tsx';
import { TermRows } from './term-rows.tsx';

export function SharedList({ list }: { list: WordListWithTerms }) {
  const { t } = useI18n();
  const { name } = list;
  const draft = draftOf(list);
  const copying = useSubmit(async () => {
    const { listId } = await client.createList({ ...requestOf(draft), shared: false });
    navigate(`/lists/${listId}`);
  });
  return (
    <Page title={name} heading={<bdi>{name}</bdi>} aside={<ListFacts list={list} />} width="wide">
      <p class="lead">{t.lists.fromSomebody}</p>
      <div class="columns">
        <WaysToPlay words={wordsOfList(list, questionsOf(draft))} />
      </div>
      {copying.error && <Notice kind="error">{copying.error}</Notice>}
      <div class="actions">
        <button type="button" class="secondary" aria-busy={copying.isBusy} onClick={copying.submit}>
          {t.lists.copy}
        </button>
      </div>
      <div class="card">
        <TermRows list={draft} />
      </div>
    </Page>
  );
}
