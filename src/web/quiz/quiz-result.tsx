// The end of a quiz: the score and the missed words.
import { GuestOffer } from '../game/guest-offer.tsx';
import { MissedWords } from '../game/missed-words.tsx';
import { Seal } from '../game/seal.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { randomInt } from '../ui/random.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { practise } from './practice.ts';
import { missedQuestions, missedWord, type Quiz } from './quiz-state.ts';
import { requestQuiz } from './request-quiz.ts';

/** The share of right answers from which the result is praised. */
const GOOD_SHARE = 0.7;

interface QuizResultProps {
  quiz: Quiz;
  onRestarted(quiz: Quiz): void;
}

export function QuizResult({ quiz, onRestarted }: QuizResultProps) {
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
      <GuestOffer />
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        {unknown.length > 0 && (
          <button
            type="button"
            class="primary"
            onClick={() =>
              onRestarted({ ...practise(unknown, settings, randomInt, practice?.lobby), ...(homework && { homework }) })
            }
          >
            {t.practise}
          </button>
        )}
        {!practice && !homework && (
          <button
            type="button"
            class={unknown.length > 0 ? 'secondary' : 'primary'}
            aria-busy={isBusy}
            onClick={submit}
          >
            {t.playAgain}
          </button>
        )}
        {homework && (
          <Link to={`/homework/${homework}`} class={`button ${missed.length > 0 ? 'secondary' : 'primary'}`}>
            {t.homework.back}
          </Link>
        )}
        {practice?.lobby && (
          <Link to={`/lobby/${practice.lobby}`} class="button secondary">
            {t.backToLobby(practice.lobby)}
          </Link>
        )}
        <Link to="/" class="button secondary">
          {t.otherWords}
        </Link>
      </div>
    </Page>
  );
}
