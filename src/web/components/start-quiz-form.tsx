// Starts a quiz for one.
import { useState } from 'preact/hooks';
import type { MAX_QUESTIONS } from '../../singleplayer/schema.ts';
import { askForQuiz } from '../ask-quiz.ts';
import { type ChosenWords, questionCounts } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepQuiz } from '../kept.ts';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { Choice, numberOptions } from './choice.tsx';
import { Fold } from './fold.tsx';
import { SubmitButton } from './submit-button.tsx';

/** The service's own limit; the type holds the two together. */
const MAX: typeof MAX_QUESTIONS = 50;
const DEFAULT_COUNT = 10;

export function StartQuizForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const user = useUser();
  const [wanted, setWanted] = useState(DEFAULT_COUNT);
  const counts = questionCounts(words.questions, MAX);
  const questionCount = counts.includes(wanted) ? wanted : (counts.at(-1) ?? 1);
  const sending = useSubmit(async () => {
    keepQuiz(user.id, await askForQuiz({ ...words.direction, ...words.asked, questionCount }));
    navigate('/quiz');
  });
  return (
    <form onSubmit={sending.submit}>
      <Fold summary={`${t.questions}: ${questionCount}`}>
        <Choice
          label={t.questions}
          isNumeric
          options={numberOptions(counts)}
          value={questionCount}
          onValue={setWanted}
        />
      </Fold>
      <SubmitButton sending={sending}>{t.start}</SubmitButton>
    </form>
  );
}
