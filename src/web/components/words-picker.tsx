// Which words: the built-in ones by language, level and part of speech, or a list of one's own.
import type { Deck } from '../../vocabulary/schema.ts';
import type { DeckChoices } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import type { OwnList } from '../use-own-lists.ts';
import { Select } from './choice.tsx';
import { DeckPicker } from './deck-picker.tsx';

type NamedList = Pick<OwnList, 'listId' | 'name'>;

interface WordsPickerProps {
  choices: DeckChoices | null;
  lists: NamedList[];
  chosen: NamedList | undefined;
  onDeck(deck: Deck): void;
  /** @param listId null for the built-in words */
  onList(listId: string | null): void;
}

/** No list has it as its id. */
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
