// The user's own lists, and the one that the user has chosen.
import { useEffect, useState } from 'preact/hooks';
import type { Progress, WordList } from '../../client/types.ts';
import { client } from '../api.ts';
import { load, save } from '../ui/storage.ts';

export interface OwnList extends WordList {
  questions: number;
}

interface OwnLists {
  /** Undefined while the request runs. */
  lists: OwnList[] | undefined;
  /** The chosen list; undefined if built-in words are chosen. */
  chosen: OwnList | undefined;
  choose(listId: string | null): void;
}

const KEY = 'list';

/** @param progress has the questions of each list; without any list nothing is requested */
export function useOwnLists(progress: Progress | null | undefined): OwnLists {
  const counted = progress?.decks.filter((words) => 'listId' in words) ?? [];
  const [lists, setLists] = useState<WordList[] | undefined>(undefined);
  const [chosenId, setChosenId] = useState(() => load<string>('device', KEY));
  const hasLists = counted.length > 0;
  useEffect(() => {
    if (!hasLists) return;
    client.getLists().then(
      (found) => setLists(found.lists),
      () => setLists([]),
    );
  }, [hasLists]);
  const own = lists?.map((list) => {
    const { questions = list.termCount } = counted.find((one) => one.listId === list.listId) ?? {};
    return { ...list, questions };
  });
  return {
    lists: hasLists || progress === undefined ? own : [],
    chosen: own?.find(({ listId }) => listId === chosenId),
    choose(listId) {
      setChosenId(listId);
      save('device', KEY, listId);
    },
  };
}
