import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { saveQuiz } from '../lobby/saved-games.ts';
import { Collapsible } from '../ui/collapsible.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { AnswerModeChoice, useAnswerMode } from '../words/answer-mode.tsx';
import type { ChosenWords } from '../words/deck-choice.ts';
import { useQuestionCount } from '../words/question-count.tsx';
import { requestQuiz } from './request-quiz.ts';

export function StartQuizForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const user = useUser();
  const { questionCount, questionCountChoice } = useQuestionCount(words);
  const [answerMode, setAnswerMode] = useAnswerMode();
  const sending = useSubmit(async () => {
    const settings = { ...words.direction, ...words.selection, questionCount, answerMode };
    saveQuiz(user.id, await requestQuiz(settings));
    navigate('/quiz');
  });
  return (
    <form onSubmit={sending.submit}>
      <Collapsible summary={`${t.questions}: ${questionCount} · ${t.typed.label}: ${t.typed.modes[answerMode]}`}>
        {questionCountChoice}
        <AnswerModeChoice value={answerMode} onValue={setAnswerMode} />
      </Collapsible>
      <SubmitButton sending={sending}>{t.start}</SubmitButton>
    </form>
  );
}
