// The user's lists, and the screens of one: a new one, the user's own, and one that somebody shares.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WordList, WordListWithTerms } from '../../client/types.ts';
import { client } from '../api.ts';
import { saveAs, saveTable } from '../download.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { WaysToPlay } from '../home/ways-to-play.tsx';
import { useI18n } from '../i18n/index.tsx';
import { openRoom } from '../lobby/room-choices.ts';
import { saveDraft, savedDraft } from '../lobby/saved-games.ts';
import { ActionButton, Button, ButtonLink, ConfirmButton, Link } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Pending, QueryFallback, useQuery } from '../ui/query.tsx';
import { ShareLink } from '../ui/share-link.tsx';
import { wordsOfList } from '../words/deck-choice.ts';
import { useDirectionName } from '../words/names.ts';
import { DirectionSwap } from '../words/words-picker.tsx';
import { ankiOf, cellsOf, type Draft, draftOf, newDraft, questionsOf, requestOf, swapped } from './draft.ts';
import { ListEditor } from './list-editor.tsx';
import { TermRows } from './term-rows.tsx';
import './lists.css';

export function ListScreen({ listId }: { listId: string }) {
  const { t } = useI18n();
  const { data, error } = useQuery(() => findList(listId), listId);
  if (data?.isOwn) return <OwnList list={data.list} />;
  if (data) return <SharedList list={data.list} />;
  return <QueryFallback error={error} parent={{ path: '/lists', title: t.lists.title }} />;
}

/** @throws ApiError LIST_NOT_FOUND */
async function findList(listId: string): Promise<{ list: WordListWithTerms; isOwn: boolean }> {
  const [list, { lists }] = await Promise.all([client.getList(listId), client.getLists()]);
  return { list, isOwn: lists.some((own) => own.listId === list.listId) };
}

/** The screen of the user's own list, which can be played, shared, changed and deleted. */
function OwnList({ list }: { list: WordListWithTerms }) {
  const { t } = useI18n();
  const { listId } = list;
  const edited = useDraft(listId, () => draftOf(list));
  const save = async (draft: Draft) => {
    await client.replaceList(listId, requestOf(draft));
    edited.markSaved(draft);
  };
  const remove = async () => {
    await client.deleteList(listId);
    edited.discard();
    navigate('/lists', { replace: true });
  };
  const { stored } = edited;
  const { name, rows } = stored;
  const head = { ...stored, listId, termCount: rows.length };
  return (
    <Page title={name} heading={<bdi>{name}</bdi>} aside={<ListFacts list={head} />} width="wide">
      <WaysToPlayList list={head} draft={stored} />
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
      <div>
        <ConfirmButton
          label={t.lists.delete}
          class="danger"
          question={t.lists.deleteAsk(name)}
          consequence={t.lists.deleteMore}
          action={remove}
        />
      </div>
    </Page>
  );
}

/** The ways to play a list in either direction. */
function WaysToPlayList({ list, draft }: { list: Parameters<typeof wordsOfList>[0]; draft: Draft }) {
  const [isReverse, setReverse] = useState(false);
  // A note belongs to the word that it explains, and is not asked in the other direction.
  const rows = swapped(draft).rows.map((row) => ({ ...row, sourceGloss: '' }));
  const words = wordsOfList(list, isReverse, questionsOf(isReverse ? { rows } : draft));
  return (
    <>
      <div class="actions">
        <DirectionSwap direction={words.direction} isReverse={isReverse} onReverse={setReverse} />
      </div>
      <div class="columns columns-ways">
        <WaysToPlay words={words} />
      </div>
    </>
  );
}

/** The screen of another user's shared list, which can be played and copied. */
function SharedList({ list }: { list: WordListWithTerms }) {
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
      <WaysToPlayList list={list} draft={draft} />
      <ListActions {...list}>
        <ActionButton label={t.lists.copy} action={copy} />
      </ListActions>
      <div class="card">
        <TermRows list={draft} />
      </div>
    </Page>
  );
}

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

interface ListActionsProps extends Pick<WordListWithTerms, 'listId' | 'name' | 'terms'> {
  children?: ComponentChildren;
}

/** The buttons of a list besides those that play it: homework, and downloads for a spreadsheet or for Anki. */
function ListActions({ listId, name, terms, children }: ListActionsProps) {
  const { t } = useI18n();
  const saveForAnki = () => saveAs(new Blob([ankiOf(terms)], { type: 'text/plain' }), `${name}.txt`);
  return (
    <div class="actions">
      {children}
      <ButtonLink to={`/homework/new?list=${listId}`} label={t.homework.create} />
      <ActionButton label={t.lists.downloadTable} action={() => saveTable(cellsOf(terms), name)} />
      <Button label={t.lists.downloadAnki} onClick={saveForAnki} />
    </div>
  );
}

/** Stands for the id of a list that is not saved yet. */
const NEW_LIST = 'new';

export type EditedDraft = ReturnType<typeof useDraft>;

/** The draft of a list, which survives a reload until it is saved. @param first the version without any changes */
function useDraft(listId: string, first: () => Draft) {
  const user = useUser();
  const [stored, setStored] = useState(first);
  const [changed, setChanged] = useState(() => savedDraft(user.id, listId));
  const change = (draft: Draft | null) => {
    setChanged(draft);
    saveDraft(user.id, listId, draft);
  };
  return {
    draft: changed ?? stored,
    stored,
    isChanged: changed !== null,
    change,
    discard: () => change(null),
    /** Records that this version was saved. */
    markSaved(draft: Draft) {
      setStored(draft);
      change(null);
    },
  };
}

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
      {!lists && <Pending error={error} />}
      {lists?.length === 0 && <p class="lead">{t.lists.none}</p>}
      {lists && lists.length > 0 && (
        <ul class="card entries ruled">
          {lists.map((list) => (
            <li key={list.listId} class="entry-row row">
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
