// How many questions a quiz or homework asks, as far as its words have so many.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MAX_QUESTIONS } from '../../singleplayer/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { type ChosenWords, questionCounts } from './deck-choice.ts';

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX: typeof MAX_QUESTIONS = 50;
const DEFAULT_COUNT = 10;

interface QuestionCount {
  /** The chosen number, or the largest one that the words allow. */
  questionCount: number;
  /** The radio buttons that choose it. */
  questionCountChoice: VNode;
}

export function useQuestionCount({ questions }: ChosenWords): QuestionCount {
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
