import { useEffect, useState } from 'preact/hooks';
import type { LobbySettings } from '../../lobby/schema.ts';
import type { ScoringName } from '../../scoring/scoring.ts';
import type { MAX_QUESTIONS } from '../../singleplayer/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { ROUND_COUNTS, ROUNDS, type Rounds } from '../lobby/lobby-choices.ts';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { load, save } from '../ui/storage.ts';
import { type ChosenWords, questionCounts } from './deck-choice.ts';

type AnswerMode = LobbySettings['answerMode'];

const KEY = 'answer-mode';
const MODES: AnswerMode[] = ['choice', 'typed'];
/** The event on `window` for a changed choice, since a screen may offer it in two places. */
const CHANGED = 'page:answer-mode';

/** @returns the mode of the user's quizzes, and a function that changes it */
export function useAnswerMode(): [AnswerMode, (mode: AnswerMode) => void] {
  const [mode, setMode] = useState(savedAnswerMode);
  useEffect(() => {
    const changed = () => setMode(savedAnswerMode());
    addEventListener(CHANGED, changed);
    return () => removeEventListener(CHANGED, changed);
  }, []);
  return [
    mode,
    (next) => {
      save('device', KEY, next);
      dispatchEvent(new Event(CHANGED));
    },
  ];
}

/** @returns the mode that the user has last chosen for a quiz */
export function savedAnswerMode(): AnswerMode {
  return load<AnswerMode>('device', KEY) === 'typed' ? 'typed' : 'choice';
}

export function AnswerModeChoice({ value, onValue }: { value: AnswerMode; onValue(mode: AnswerMode): void }) {
  const { t } = useI18n();
  const options = MODES.map((mode) => ({ value: mode, text: t.typed.modes[mode] }));
  return <RadioGroup label={t.typed.label} options={options} value={value} onValue={onValue} />;
}

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX: typeof MAX_QUESTIONS = 50;
const DEFAULT_COUNT = 10;

/** How many questions a quiz or homework asks, as far as its words have so many. */
export function useQuestionCount({ questions }: Pick<ChosenWords, 'questions'>) {
  const { t } = useI18n();
  const [wanted, setWanted] = useState(DEFAULT_COUNT);
  const counts = questionCounts(Math.max(1, questions), MAX);
  const questionCount = counts.includes(wanted) ? wanted : (counts.at(-1) ?? 1);
  const questionCountChoice = (
    <RadioGroup
      label={t.questions}
      isNumeric
      options={numberOptions(counts)}
      value={questionCount}
      onValue={setWanted}
    />
  );
  return { questionCount, questionCountChoice };
}

interface RoundsChoiceProps {
  most: number;
  isList: boolean;
  value: number;
  /** As of a `NumberChoice`. */
  isShort?: boolean;
  onValue(rounds: Rounds): void;
}

export function RoundsChoice({ most, isList, value, isShort = false, onValue }: RoundsChoiceProps) {
  const { t } = useI18n();
  const hasAll = isList && most <= ROUNDS.max;
  const max = Math.min(ROUNDS.max, most);
  const counts = ROUND_COUNTS.filter((count) => count < max || (count === max && !hasAll));
  const all = hasAll ? [{ value: most, text: t.allWords(most) }] : [];
  return (
    <NumberChoice
      label={t.rounds}
      options={[...numberOptions(counts), ...all]}
      min={ROUNDS.min}
      max={max}
      value={value}
      isShort={isShort}
      onValue={(rounds) => onValue(hasAll && rounds === most ? 'all' : rounds)}
    />
  );
}

interface ScoringChoiceProps {
  offered: readonly ScoringName[];
  value: ScoringName;
  onValue(scoring: ScoringName): void;
}

export function ScoringChoice({ offered, value, onValue }: ScoringChoiceProps) {
  const { t } = useI18n();
  const options = offered.map((name) => ({ value: name, text: t.scorings[name], title: t.scoringHints[name] }));
  return <RadioGroup label={t.scoring} options={options} value={value} onValue={onValue} />;
}

interface NumberChoiceProps {
  label: string;
  /** The numbers that a press chooses. */
  options: { value: number; text: string }[];
  min: number;
  max: number;
  value: number;
  /** Whether only the options can be chosen, where there is little room. */
  isShort?: boolean;
  onValue(value: number): void;
}

/** Chooses a number: one of a few that suit most users by a press, or any other by typing it. */
export function NumberChoice(props: NumberChoiceProps) {
  const { label, options, min, max, value, isShort = false, onValue } = props;
  const { t } = useI18n();
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);
  const commit = () => {
    const number = Math.round(Number(typed));
    // A text that is no number leaves the value as it is.
    const next = typed.trim() && Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : value;
    setTyped(String(next));
    if (next !== value) onValue(next);
  };
  return (
    <RadioGroup label={label} isNumeric options={options} value={value} onValue={onValue}>
      {!isShort && (
        <input
          class="is-wide"
          type="number"
          inputMode="numeric"
          aria-label={t.otherNumber(label)}
          min={min}
          max={max}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={commit}
        />
      )}
    </RadioGroup>
  );
}
