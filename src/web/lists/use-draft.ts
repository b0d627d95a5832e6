// A list that is being written, kept over a reload until it is saved.
import { useState } from 'preact/hooks';
import { keepDraft, keptDraft } from '../kept.ts';
import { useUser } from '../session.tsx';
import type { Draft } from './draft.ts';

/** Of a list that has no id yet. */
export const NEW_LIST = 'new';

export interface Writing {
  draft: Draft;
  /** As it was saved last. */
  stored: Draft;
  /** Whether something in it is not saved. */
  isChanged: boolean;
  change(draft: Draft): void;
  discard(): void;
  /** It is saved, as it is here. */
  saved(draft: Draft): void;
}

/** @param first what there is of it when nothing was changed yet */
export function useDraft(listId: string, first: () => Draft): Writing {
  const user = useUser();
  const [stored, setStored] = useState(first);
  const [changed, setChanged] = useState(() => keptDraft(user.id, listId));
  const change = (draft: Draft | null) => {
    setChanged(draft);
    keepDraft(user.id, listId, draft);
  };
  return {
    draft: changed ?? stored,
    stored,
    isChanged: changed !== null,
    change,
    discard: () => change(null),
    saved(draft) {
      setStored(draft);
      change(null);
    },
  };
}
