// Chooses the words: a built-in deck or one of the user's lists.
import type { Deck } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Select } from '../ui/choice.tsx';
import type { DeckChoices } from './deck-choice.ts';
import { DeckPicker } from './deck-picker.tsx';
import type { OwnList } from './use-own-lists.ts';

type NamedList = Pick<OwnList, 'listId' | 'name'>;

interface WordsPickerProps {
  choices: DeckChoices | null;
  lists: NamedList[];
  chosen: NamedList | undefined;
  onDeck(deck: Deck): void;
  /** @param listId null for the built-in words */
  onList(listId: string | null): void;
}

/** The option's value for the built-in words; no list has this id. */
const BUILT_IN = '';

export function WordsPicker({ choices, lists, chosen, onDeck, onList }: WordsPickerProps) {
  const { t } = useI18n();
  const options = lists.map(({ listId, name }) => ({ value: listId, text: name }));
  const builtIn = choices ? [{ value: BUILT_IN, text: t.lists.builtIn }] : [];
  return (
    <div class="stack">
      {lists.length > 0 && (
        <Select
          label={t.whatToLearn}
          options={[...builtIn, ...options]}
          value={chosen?.listId ?? BUILT_IN}
          onValue={(listId) => onList(listId === BUILT_IN ? null : listId)}
        />
      )}
      {choices && !chosen && <DeckPicker choices={choices} onWanted={onDeck} />}
    </div>
  );
}
