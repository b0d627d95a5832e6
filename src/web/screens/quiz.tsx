// A quiz for one: question by question, with the verdict after each, and what was missed at the end.
import { useEffect, useState } from 'preact/hooks';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Page } from '../components/page.tsx';
import { QuizQuestion } from '../components/quiz-question.tsx';
import { QuizResult } from '../components/quiz-result.tsx';
import { useI18n } from '../i18n/index.tsx';
import { keepQuiz, keptQuiz } from '../kept.ts';
import { type Quiz, questionAt } from '../quiz-state.ts';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';

export function QuizScreen() {
  const { t } = useI18n();
  const user = useUser();
  const [quiz, setQuiz] = useState(() => keptQuiz(user.id));
  useEffect(() => {
    if (!quiz) navigate('/', { replace: true });
  }, [quiz]);
  if (!quiz) return null;

  const update = (next: Quiz) => {
    keepQuiz(user.id, next);
    setQuiz(next);
  };
  const quit = () => {
    keepQuiz(user.id, null);
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
          <Progress quiz={quiz} />
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

function Progress({ quiz }: { quiz: Quiz }) {
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
