// The screen of a quiz: one question after the other, then the result.
import { useEffect, useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import '../i18n/rare-languages.ts';
import { savedQuiz, saveQuiz } from '../lobby/saved-games.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Page } from '../ui/page.tsx';
import { QuizQuestion } from './quiz-question.tsx';
import { QuizResult } from './quiz-result.tsx';
import { type Quiz, questionAt } from './quiz-state.ts';

export default function QuizScreen() {
  const { t } = useI18n();
  const user = useUser();
  const [quiz, setQuiz] = useState(() => savedQuiz(user.id));
  useEffect(() => {
    if (!quiz) navigate('/', { replace: true });
  }, [quiz]);
  if (!quiz) return null;

  const update = (next: Quiz) => {
    saveQuiz(user.id, next);
    setQuiz(next);
  };
  const quit = () => {
    saveQuiz(user.id, null);
    navigate('/');
  };
  const question = questionAt(quiz);
  if (!question) return <QuizResult quiz={quiz} onRestarted={update} />;
  const { at, session } = quiz;
  const total = session.questions.length;
  return (
    <Page
      title={t.questionOf(at + 1, total)}
      isTitleHidden
      isGame
      aside={
        <div class="game-head">
          <QuizProgress quiz={quiz} />
          <ConfirmButton
            label={t.quitQuiz}
            question={t.quitQuizAsk}
            consequence={t.quitQuizMore}
            stay={t.continueQuiz}
            onConfirmed={quit}
          />
        </div>
      }
    >
      <QuizQuestion
        key={question.questionId}
        question={question}
        quiz={quiz}
        onChange={update}
        onExpired={quit}
      />
    </Page>
  );
}

function QuizProgress({ quiz }: { quiz: Quiz }) {
  const { t } = useI18n();
  const { at, verdicts, correct, session } = quiz;
  const total = session.questions.length;
  return (
    <div class="progress">
      <div class="progress-text">
        <span>{t.questionOf(at + 1, total)}</span>
        <span>{t.scoreSoFar(correct, verdicts.length)}</span>
      </div>
      <ol class="dots" aria-hidden="true">
        {session.questions.map(({ questionId }, index) => (
          <li key={questionId} class={dotOf(quiz, index)} />
        ))}
      </ol>
    </div>
  );
}

function dotOf({ verdicts, at }: Quiz, index: number): string {
  const verdict = verdicts[index];
  if (verdict === 'lost') return 'dot-lost';
  if (verdict) return verdict.isCorrect ? 'dot-right' : 'dot-wrong';
  return index === at ? 'dot-now' : 'dot-next';
}
