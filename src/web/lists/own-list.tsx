// The screen of the user's own list, which can be played, shared, changed and deleted.
import type { WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import { WaysToPlay } from '../home/ways-to-play.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { ShareLink } from '../ui/share-link.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { wordsOfList } from '../words/deck-choice.ts';
import { type Draft, draftOf, questionsOf, requestOf } from './draft.ts';
import { ListActions } from './list-actions.tsx';
import { ListEditor } from './list-editor.tsx';
import { ListFacts } from './list-facts.tsx';
import { useDraft } from './use-draft.ts';

export function OwnList({ list }: { list: WordListWithTerms }) {
  const { t } = useI18n();
  const { listId } = list;
  const edited = useDraft(listId, () => draftOf(list));
  const save = async (draft: Draft) => {
    await client.replaceList(listId, requestOf(draft));
    edited.markSaved(draft);
  };
  const deletion = useSubmit(async () => {
    await client.deleteList(listId);
    edited.discard();
    navigate('/lists', { replace: true });
  });
  const { stored } = edited;
  const { name, rows } = stored;
  const head = { ...stored, listId, termCount: rows.length };
  return (
    <Page title={name} heading={<bdi>{name}</bdi>} aside={<ListFacts list={head} />} width="wide">
      <div class="columns columns-ways">
        <WaysToPlay words={wordsOfList(head, questionsOf(stored))} />
      </div>
      <ListActions listId={listId} name={name} terms={requestOf(stored).terms} />
      {stored.shared && (
        <ShareLink
          title={t.lists.share}
          path={`/lists/${listId}`}
          hint={t.lists.shareMore}
          text={t.lists.shareText(name)}
        />
      )}
      <ListEditor edited={edited} onSave={save} />
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
