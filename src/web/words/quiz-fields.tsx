// The choices of a quiz and of homework: how answers are given, and how many questions are asked.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LobbySettings } from '../../lobby/schema.ts';
import type { MAX_QUESTIONS } from '../../singleplayer/schema.ts';
import { useI18n } from '../i18n/index.tsx';
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

interface QuestionCount {
  /** The chosen number, or the largest one that the words allow. */
  questionCount: number;
  questionCountChoice: VNode;
}

/** How many questions a quiz or homework asks, as far as its words have so many. */
export function useQuestionCount({ questions }: Pick<ChosenWords, 'questions'>): QuestionCount {
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
