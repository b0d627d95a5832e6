// A list of one's own: to play, to share, to change, to delete.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { WaysToPlay } from '../components/ways-to-play.tsx';
import { wordsOfList } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { useSubmit } from '../use-submit.ts';
import { type Draft, draftOf, questionsOf, requestOf } from './draft.ts';
import { ListEditor } from './list-editor.tsx';
import { ListFacts } from './list-facts.tsx';
import { ListLink } from './list-link.tsx';
import { useDraft } from './use-draft.ts';

export function OwnList({ list }: { list: WordListWithTerms }) {
  const { t } = useI18n();
  const { listId } = list;
  const writing = useDraft(listId, () => draftOf(list));
  const save = async (draft: Draft) => {
    await client.replaceList(listId, requestOf(draft));
    writing.saved(draft);
  };
  const deletion = useSubmit(async () => {
    await client.deleteList(listId);
    writing.discard();
    navigate('/lists', { replace: true });
  });
  const { stored } = writing;
  const { name, rows } = stored;
  const head = { ...stored, listId, termCount: rows.length };
  return (
    <Page title={name} heading={<bdi>{name}</bdi>} aside={<ListFacts list={head} />} width="wide">
      <div class="columns">
        <WaysToPlay words={wordsOfList(head, questionsOf(stored))} />
      </div>
      {stored.shared && <ListLink listId={listId} name={name} />}
      <ListEditor writing={writing} onSave={save} />
      {deletion.error && <Notice kind="error">{deletion.error}</Notice>}
      <div>
        <ConfirmButton
          label={t.lists.delete}
          class="danger"
          question={t.lists.deleteAsk(name)}
          consequence={t.lists.deleteMore}
          onConfirmed={deletion.submit}
        />
      </div>
    </Page>
  );
}
