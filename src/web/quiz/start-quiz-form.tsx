import { useState } from 'preact/hooks';
import type { MAX_QUESTIONS } from '../../singleplayer/schema.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { saveQuiz } from '../lobby/saved-games.ts';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { AnswerModeChoice, useAnswerMode } from '../words/answer-mode.tsx';
import { type ChosenWords, questionCounts } from '../words/deck-choice.ts';
import { requestQuiz } from './request-quiz.ts';

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX: typeof MAX_QUESTIONS = 50;
const DEFAULT_COUNT = 10;

export function StartQuizForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const user = useUser();
  const [wanted, setWanted] = useState(DEFAULT_COUNT);
  const [answerMode, setAnswerMode] = useAnswerMode();
  const counts = questionCounts(Math.max(1, words.questions), MAX);
  const questionCount = counts.includes(wanted) ? wanted : (counts.at(-1) ?? 1);
  const sending = useSubmit(async () => {
    const settings = { ...words.direction, ...words.selection, questionCount, answerMode };
    saveQuiz(user.id, await requestQuiz(settings));
    navigate('/quiz');
  });
  return (
    <form onSubmit={sending.submit}>
      <Collapsible
        summary={`${t.questions}: ${questionCount} · ${t.typed.label}: ${t.typed.modes[answerMode]}`}
      >
        <RadioGroup
          label={t.questions}
          isNumeric
          options={numberOptions(counts)}
          value={questionCount}
          onValue={setWanted}
        />
        <AnswerModeChoice value={answerMode} onValue={setAnswerMode} />
      </Collapsible>
      <SubmitButton sending={sending}>{t.start}</SubmitButton>
    </form>
  );
}
