// The screen of a quiz: one question after the other, then the result.
import { useEffect, useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { savedQuiz, saveQuiz } from '../lobby/saved-games.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Page } from '../ui/page.tsx';
import { QuizQuestion } from './quiz-question.tsx';
import { QuizResult } from './quiz-result.tsx';
import { partOf, type Quiz, questionAt, withPart } from './quiz-state.ts';

export function QuizScreen() {
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
    navigate(quiz.homework ? `/homework/${quiz.homework}` : '/');
  };
  const part = partOf(quiz);
  const question = questionAt(part);
  if (!question) return <QuizResult quiz={quiz} onRestarted={update} />;
  const { at, session } = part;
  const isRepetition = part !== quiz;
  const { repetition: _skipped, ...withoutRepetition } = quiz;
  const title = t.questionOf(at + 1, session.questions.length);
  return (
    <Page
      title={isRepetition ? `${t.onceMore} · ${title}` : title}
      isTitleHidden
      isGame
      aside={
        <div class="game-head">
          <QuizProgress quiz={part} title={isRepetition ? t.onceMore : title} />
          {isRepetition ? (
            <button type="button" class="quiet" onClick={() => update(withoutRepetition)}>
              {t.seeResult}
            </button>
          ) : (
            <ConfirmButton
              label={t.quitQuiz}
              question={t.quitQuizAsk}
              consequence={t.quitQuizMore}
              stay={t.continueQuiz}
              // The service keeps the answers of homework.
              isAsked={() => !quiz.homework}
              onConfirmed={quit}
            />
          )}
        </div>
      }
    >
      <QuizQuestion
        key={`${isRepetition} ${question.questionId}`}
        question={question}
        quiz={part}
        onChange={(next) => update(withPart(quiz, next))}
        onExpired={quit}
      />
    </Page>
  );
}

function QuizProgress({ quiz, title }: { quiz: Quiz; title: string }) {
  const { t } = useI18n();
  const { verdicts, correct, session } = quiz;
  return (
    <div class="progress">
      <div class="progress-text">
        <span>{title}</span>
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
