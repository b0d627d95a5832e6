// The screen of a quiz: one question after the other, then the result.
import { useEffect, useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { GuestOffer } from '../game/guest-offer.tsx';
import { MissedWords, Seal } from '../game/solution.tsx';
import { useI18n } from '../i18n/index.tsx';
import { savedQuiz, saveQuiz } from '../lobby/saved-games.ts';
import { Button, ButtonLink, ConfirmButton, useSubmit } from '../ui/button.tsx';
import { Notice, Page } from '../ui/page.tsx';
import { randomInt } from '../ui/random.ts';
import { practise } from './practice.ts';
import { QuizQuestion } from './quiz-question.tsx';
import { missedQuestions, missedWord, partOf, type Quiz, questionAt, withPart } from './quiz-state.ts';
import { requestQuiz } from './request-quiz.ts';

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
            <Button class="quiet" label={t.seeResult} onClick={() => update(withoutRepetition)} />
          ) : (
            <ConfirmButton
              label={t.quitQuiz}
              question={t.quitQuizAsk}
              consequence={t.quitQuizMore}
              stay={t.continueQuiz}
              // The service keeps the answers of homework.
              isAsked={() => !quiz.homework}
              action={quit}
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
      <div class="progress-text row apart" translate={false}>
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

/** The share of right answers from which the result is praised. */
const GOOD_SHARE = 0.7;

/** The end of a quiz: the score and the missed words. */
function QuizResult({ quiz, onRestarted }: { quiz: Quiz; onRestarted(quiz: Quiz): void }) {
  const { t } = useI18n();
  const { isBusy, error, submit } = useSubmit(async () => {
    onRestarted(await requestQuiz(quiz.settings));
  });
  const total = quiz.session.questions.length;
  const missed = missedQuestions(quiz);
  const { practice, repetition, settings, homework } = quiz;
  // What was known the second time needs no third.
  const unknown = repetition ? missedQuestions(repetition) : missed;
  const share = quiz.correct / total;
  const praise = share >= GOOD_SHARE ? t.quizGood : t.quizMore;
  return (
    <Page title={t.quizDone}>
      <p class="big-score">
        <span class="big-number" aria-hidden="true">
          {quiz.correct}
          <small>/{total}</small>
        </span>
        <span class="visually-hidden">{t.quizScore(quiz.correct, total)}</span>
      </p>
      {missed.length > 0 ? (
        <section class="card" aria-labelledby="missed">
          <h2 id="missed" class="visually-hidden">
            {t.missed}
          </h2>
          <p class="lead">{praise}</p>
          {repetition && <p>{t.secondTry(t.quizScore(repetition.correct, repetition.session.questions.length))}</p>}
          <MissedWords words={missed.map(missedWord)} {...settings} />
        </section>
      ) : (
        share === 1 && <p class="lead centered">{practice ? t.practised : t.quizPerfect}</p>
      )}
      {!practice && <Seal />}
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        {unknown.length > 0 && (
          <Button
            class="primary"
            label={t.practise}
            onClick={() =>
              onRestarted({ ...practise(unknown, settings, randomInt, practice?.lobby), ...(homework && { homework }) })
            }
          />
        )}
        {!practice && !homework && (
          <Button
            class={unknown.length > 0 ? 'secondary' : 'primary'}
            label={t.playAgain}
            aria-busy={isBusy}
            onClick={submit}
          />
        )}
        {homework && (
          <ButtonLink
            to={`/homework/${homework}`}
            class={missed.length > 0 ? 'secondary' : 'primary'}
            label={t.homework.back}
          />
        )}
        {practice?.lobby && <ButtonLink to={`/lobby/${practice.lobby}`} label={t.backToLobby(practice.lobby)} />}
        <ButtonLink to="/" label={t.otherWords} />
      </div>
      <GuestOffer />
    </Page>
  );
}
