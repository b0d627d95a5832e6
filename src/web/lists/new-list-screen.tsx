import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Page } from '../ui/page.tsx';
import { type Draft, newDraft, requestOf } from './draft.ts';
import { ListEditor } from './list-editor.tsx';
import { NEW_LIST, useDraft } from './use-draft.ts';
import './lists.css';

export function NewListScreen() {
  const { t, locale } = useI18n();
  const edited = useDraft(NEW_LIST, () => newDraft(locale === 'en' ? 'it' : 'en', locale));
  const save = async (draft: Draft) => {
    const { listId } = await client.createList(requestOf(draft));
    edited.markSaved(draft);
    navigate(`/lists/${listId}`, { replace: true });
  };
  return (
    <Page title={t.lists.newTitle} width="wide">
      <ListEditor edited={edited} onSave={save} />
    </Page>
  );
}
