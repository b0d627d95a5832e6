// One's own lists among the words to choose from. Who has none is asked nothing about them.
import { useEffect, useState } from 'preact/hooks';
import type { Progress, WordList } from '../client/types.ts';
import { client } from './api.ts';
import { load, save } from './storage.ts';

/** A list of one's own, and how many questions it gives. */
export interface OwnList extends WordList {
  questions: number;
}

interface OwnLists {
  /** Undefined while they are asked. */
  lists: OwnList[] | undefined;
  /** The one that was chosen, unless the built-in words were. */
  chosen: OwnList | undefined;
  choose(listId: string | null): void;
}

const KEY = 'list';

/** @param progress names the lists there are; null or undefined when nobody knows */
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
