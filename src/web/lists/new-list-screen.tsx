// A list that is being made.
import { client } from '../api.ts';
import { Page } from '../components/page.tsx';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { type Draft, newDraft, requestOf } from './draft.ts';
import { ListEditor } from './list-editor.tsx';
import { NEW_LIST, useDraft } from './use-draft.ts';
import './lists.css';

export default function NewListScreen() {
  const { t, locale } = useI18n();
  const writing = useDraft(NEW_LIST, () => newDraft(locale === 'en' ? 'it' : 'en', locale));
  const save = async (draft: Draft) => {
    const { listId } = await client.createList(requestOf(draft));
    writing.saved(draft);
    navigate(`/lists/${listId}`, { replace: true });
  };
  return (
    <Page title={t.lists.newTitle} width="wide">
      <ListEditor writing={writing} onSave={save} />
    </Page>
  );
}
