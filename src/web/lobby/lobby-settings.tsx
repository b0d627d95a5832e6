// The settings of a waiting lobby. Each change is sent at once. Only hosts load this file.
import { useEffect, useState } from 'preact/hooks';
import type { ListRequest } from '../../client/types.ts';
import type { Lobby } from '../../lobby/schema.ts';
import type { AskedDeck, Deck } from '../../vocabulary/schema.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { useProgress } from '../progress/use-progress.ts';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { chooseDeck, deckOf, wordsOfDeck, wordsOfList } from '../words/deck-choice.ts';
import { useDecks, useOwnLists } from '../words/offered-words.ts';
import { OwnWords } from '../words/own-words.tsx';
import { AnswerModeChoice, NumberChoice, RoundsChoice, ScoringChoice } from '../words/quiz-fields.tsx';
import { DirectionSwap, WordsPicker } from '../words/words-picker.tsx';
import { HostDialog } from './host-panel.tsx';
import * as offered from './lobby-choices.ts';
import { type Choices, ROUNDS, unconfirmedChoices } from './lobby-choices.ts';
import { rememberChoices } from './room-choices.ts';
import type { LobbyGame } from './use-lobby.ts';

export function LobbySettings({ game, lobby, onClosed }: { game: LobbyGame; lobby: Lobby; onClosed(): void }) {
  const { t } = useI18n();
  const [settings, change] = useLobbyChoices(game, lobby);
  const set = (chosen: Change) => {
    change(chosen);
    rememberChoices(offered.kindOf(settings), chosen);
  };
  const { most, ...words } = useLobbyWords(settings, change);
  const useOwn = async (request: ListRequest) => {
    const list = await client.createList(request);
    change({ listId: list.listId, rounds: offered.roundsFor('all', wordsOfList(list, false)) });
  };
  const setRounds = (rounds: offered.Rounds) => {
    change({ rounds: rounds === 'all' ? most : rounds });
    rememberChoices(offered.kindOf(settings), { rounds });
  };
  const fewest = Math.max(offered.CAPACITY.min, lobby.playerCount);
  return (
    <HostDialog title={t.hosting.settings} onClosed={onClosed}>
      <WordsPicker {...words} />
      {words.chosen && (
        <DirectionSwap
          direction={settings}
          isReverse={settings.reverse ?? false}
          onReverse={(reverse) => change({ reverse })}
        />
      )}
      <OwnWords key={settings.listId} text={t.lists.useThese} use={useOwn} />
      <RoundsChoice most={most} isList={settings.listId !== undefined} value={settings.rounds} onValue={setRounds} />
      <AnswerModeChoice value={settings.answerMode} onValue={(answerMode) => set({ answerMode })} />
      <TimeChoices settings={settings} onChange={set} />
      <ScoringChoice offered={offered.SCORINGS} value={settings.scoring} onValue={(scoring) => set({ scoring })} />
      <NumberChoice
        label={t.players}
        options={numberOptions(offered.CAPACITIES.filter((places) => places >= fewest))}
        min={fewest}
        max={offered.CAPACITY.max}
        value={settings.capacity}
        onValue={(capacity) => set({ capacity })}
      />
      <BooleanChoice
        label={t.hosting.role}
        texts={[t.hosting.presents, t.hosting.plays]}
        value={settings.hostPlays}
        onValue={(hostPlays) => set({ hostPlays })}
      />
      <BooleanChoice
        label={t.hosting.lateJoin}
        texts={[t.hosting.notLate, t.hosting.late]}
        value={settings.lateJoin}
        onValue={(lateJoin) => set({ lateJoin })}
      />
      <RadioGroup
        label={t.hosting.names}
        options={offered.NAMES.map((value) => ({ value, text: t.hosting.nameRules[value] }))}
        value={settings.names}
        onValue={(names) => set({ names })}
      />
    </HostDialog>
  );
}

function TimeChoices({ settings, onChange }: { settings: offered.Choices; onChange(change: Change): void }) {
  const { t } = useI18n();
  const { roundMs, intermissionMs } = settings;
  const pause = (ms: number) =>
    ms === 0 ? t.hosting.noPause : ms === offered.UNTIL_HOST_MS ? t.hosting.whenISay : t.hosting.seconds(ms / 1000);
  return (
    <>
      <RadioGroup
        label={t.hosting.roundTime}
        isNumeric
        options={offered
          .choicesWith(offered.ROUND_TIMES_MS, roundMs)
          .map((value) => ({ value, text: t.hosting.seconds(value / 1000) }))}
        value={roundMs}
        onValue={(ms) => onChange({ roundMs: ms })}
      />
      <RadioGroup
        label={t.hosting.pause}
        options={offered
          .choicesWith(offered.INTERMISSIONS_MS, intermissionMs)
          .map((value) => ({ value, text: pause(value) }))}
        value={intermissionMs}
        onValue={(ms) => onChange({ intermissionMs: ms })}
      />
    </>
  );
}

interface BooleanChoiceProps {
  label: string;
  texts: [no: string, yes: string];
  value: boolean;
  onValue(value: boolean): void;
}

function BooleanChoice({ label, texts, value, onValue }: BooleanChoiceProps) {
  const options = texts.map((text, index) => ({ value: index, text }));
  return <RadioGroup label={label} options={options} value={Number(value)} onValue={(index) => onValue(index === 1)} />;
}

/** The languages of a change are those of a deck. */
type Languages = Pick<Deck, 'sourceLanguage' | 'targetLanguage'>;
type Change = Partial<Omit<Choices, keyof Languages | 'topic'> & Languages & { topic: string | null }>;

/**
 * The settings of a waiting lobby, for its host. A changed setting is shown at once, before the service confirms it.
 * @returns the settings with the unconfirmed changes, and a function that sends a change
 */
function useLobbyChoices(
  { host, refusal }: LobbyGame,
  lobby: Lobby,
): [choices: Choices, set: (change: Change) => void] {
  const [wanted, setWanted] = useState<Partial<Choices>>({});
  useEffect(() => setWanted((before) => unconfirmedChoices(before, lobby)), [lobby]);
  useEffect(() => {
    if (refusal) setWanted({});
  }, [refusal]);
  const { settings, capacity } = lobby;
  return [
    { ...settings, capacity, ...wanted },
    ({ capacity: places, ...change }) => {
      setWanted((before) => ({ ...before, ...(change as Partial<Choices>), ...(places && { capacity: places }) }));
      host.configure({ settings: change, ...(places && { capacity: places }) });
    },
  ];
}

/** @returns the props of WordsPicker, and `most`, the number of questions that the chosen words have */
function useLobbyWords(settings: Choices, set: (change: Change) => void) {
  const { t } = useI18n();
  const { decks, choices: usual } = useDecks();
  const { lists: own = [] } = useOwnLists(useProgress());
  const { listId, rounds } = settings;
  const choices = listId ? (usual ?? null) : decks && chooseDeck(decks, settings as AskedDeck);
  const chosen = own.find((list) => list.listId === listId);
  // The list may belong to another user who shares it with the host.
  const foreign = listId && !chosen ? { listId, name: settings.listName ?? t.wordList } : undefined;
  // A game can't have more rounds than there are questions.
  const atMost = (questions: number) => ({ rounds: Math.min(rounds, questions) });
  const chooseWords = (wanted: AskedDeck) => {
    const chosenDeck = decks && chooseDeck(decks, wanted);
    if (!chosenDeck) return;
    const { deck, topic = null } = chosenDeck;
    set({
      listId: undefined,
      reverse: undefined,
      ...deckOf(deck),
      topic,
      ...atMost(wordsOfDeck(chosenDeck).questions),
    });
  };
  return {
    choices,
    lists: foreign ? [...own, foreign] : own,
    chosen: chosen ?? foreign,
    most: (listId ? chosen : choices && wordsOfDeck(choices))?.questions ?? ROUNDS.max,
    onDeck: chooseWords,
    onList(id: string | null) {
      const list = own.find((one) => one.listId === id);
      if (list) set({ listId: list.listId, ...atMost(list.questions) });
      else if (!id && usual) chooseWords({ ...deckOf(usual.deck), topic: usual.topic });
    },
  };
}
