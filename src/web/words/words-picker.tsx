// Chooses the words: a built-in deck or one of the user's lists.
import type { Progress } from '../../client/types.ts';
import type { AskedDeck, Deck } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { RadioGroup, Select } from '../ui/choice.tsx';
import { Icon } from '../ui/icon.tsx';
import { type DeckChoices, type Direction, deckOf, swapDirection, wordsOfDeck, wordsOfList } from './deck-choice.ts';
import { useDeckName, useDirectionName, useLanguageName, useTopicName } from './names.ts';
import { type OwnList, useDecks, useOwnLists } from './offered-words.ts';

type NamedList = Pick<OwnList, 'listId' | 'name'>;

interface WordsPickerProps {
  choices: DeckChoices | null;
  lists: NamedList[];
  chosen: NamedList | undefined;
  onDeck(deck: AskedDeck): void;
  /** @param listId null for the built-in words */
  onList(listId: string | null): void;
}

/** The option's value for the built-in words; no list has this id. */
const BUILT_IN = '';
/** The option's value for all topics; no topic has this name. */
const ALL = '';

/**
 * The words that the user has chosen last on this device, and the inputs that choose others.
 * @param progress has the questions of the user's lists; undefined while it is requested
 */
export function useChosenWords(progress: Progress | null | undefined) {
  const deckName = useDeckName();
  const { choices, error, want } = useDecks();
  const { lists, chosen, choose, isReverse, setReverse } = useOwnLists(progress);
  // If the service has no built-in words, the first list is chosen.
  const list = chosen ?? (choices === null ? lists?.[0] : undefined);
  const words = list ? wordsOfList(list, isReverse, list.questions) : choices && wordsOfDeck(choices);
  return {
    isThere: choices !== undefined && lists !== undefined,
    error,
    words,
    name: list?.name ?? (choices ? deckName({ ...choices.deck, topic: choices.topic }) : ''),
    picker: choices !== undefined && lists && (
      <WordsPicker choices={choices} lists={lists} chosen={list} onDeck={want} onList={choose} />
    ),
    swap: list && words && <DirectionSwap direction={words.direction} isReverse={isReverse} onReverse={setReverse} />,
  };
}

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

interface DirectionSwapProps {
  direction: Direction;
  isReverse: boolean;
  onReverse(isReverse: boolean): void;
}

/** Shows in which direction a list is asked, and turns it round by one press. [contract 26] */
export function DirectionSwap({ direction, isReverse, onReverse }: DirectionSwapProps) {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const { sourceLanguage = '', targetLanguage = '' } = direction;
  return (
    <Button
      class="quiet"
      icon="swap"
      label={directionName(sourceLanguage, targetLanguage)}
      title={t.swap}
      aria-pressed={isReverse}
      onClick={() => onReverse(!isReverse)}
    />
  );
}

/** Chooses a deck by languages, level, part of speech and topic. */
function DeckPicker({ choices, onWanted }: { choices: DeckChoices; onWanted(deck: AskedDeck): void }) {
  const { t } = useI18n();
  const languageName = useLanguageName();
  const topicName = useTopicName();
  const { deck: offered, topic } = choices;
  const deck: AskedDeck = { ...deckOf(offered), topic };
  const want = (change: Partial<AskedDeck>) => onWanted({ ...deck, ...change });
  const languages = (codes: Deck['sourceLanguage'][]) => codes.map((value) => ({ value, text: languageName(value) }));
  return (
    <fieldset class="deck">
      <legend class="visually-hidden">{t.whatToLearn}</legend>
      <div class="direction">
        <Select
          label={t.from}
          options={languages(choices.sourceLanguage)}
          value={deck.sourceLanguage}
          onValue={(sourceLanguage) =>
            sourceLanguage === deck.targetLanguage ? onWanted(swapDirection(deck)) : want({ sourceLanguage })
          }
        />
        <button type="button" class="quiet swap" aria-label={t.swap} onClick={() => onWanted(swapDirection(deck))}>
          <Icon name="swap" />
        </button>
        <Select
          label={t.to}
          options={languages(choices.targetLanguage)}
          value={deck.targetLanguage}
          onValue={(targetLanguage) => want({ targetLanguage })}
        />
      </div>
      <RadioGroup
        label={t.level}
        options={choices.difficulty.map((value) => ({ value, text: value, title: t.levels[value] }))}
        value={deck.difficulty}
        onValue={(difficulty) => want({ difficulty })}
      />
      <RadioGroup
        label={t.partOfSpeech}
        options={choices.pos.map((value) => ({ value, text: t.partsOfSpeech[value] }))}
        value={deck.pos}
        onValue={(pos) => want({ pos })}
      />
      {offered.topics.length > 0 && (
        <Select
          label={t.learning.topic}
          options={[
            { value: ALL, text: t.learning.allTopics },
            ...offered.topics.map((one) => ({ value: one.topic, text: topicName(one.topic) })),
          ]}
          value={topic ?? ALL}
          onValue={(chosen) => want({ topic: chosen === ALL ? undefined : chosen })}
        />
      )}
    </fieldset>
  );
}
