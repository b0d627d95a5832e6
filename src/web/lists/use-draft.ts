// The draft of a list, which survives a reload until it is saved.
import { useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { saveDraft, savedDraft } from '../lobby/saved-games.ts';
import type { Draft } from './draft.ts';

/** Stands for the id of a list that is not saved yet. */
export const NEW_LIST = 'new';

export interface EditedDraft {
  draft: Draft;
  /** The last saved version. */
  stored: Draft;
  /** Whether the draft has unsaved changes. */
  isChanged: boolean;
  change(draft: Draft): void;
  discard(): void;
  /** Records that this version was saved. */
  markSaved(draft: Draft): void;
}

/** @param first the version without any changes */
export function useDraft(listId: string, first: () => Draft): EditedDraft {
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
    markSaved(draft) {
      setStored(draft);
      change(null);
    },
  };
}
