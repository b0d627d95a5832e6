// The end of a quiz for one: the score, and the words to look at again.
import { askForQuiz } from '../ask-quiz.ts';
import { useI18n } from '../i18n/index.tsx';
import { practise } from '../practice.ts';
import { missedQuestions, missedWord, type Quiz } from '../quiz-state.ts';
import { randomInt } from '../random.ts';
import { useSubmit } from '../use-submit.ts';
import { GuestOffer } from './guest-offer.tsx';
import { Link } from './link.tsx';
import { MissedWords } from './missed-words.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

/** From here on it is said to be well done. */
const GOOD_SHARE = 0.7;

interface QuizResultProps {
  quiz: Quiz;
  onRestarted(quiz: Quiz): void;
}

export function QuizResult({ quiz, onRestarted }: QuizResultProps) {
  const { t } = useI18n();
  const { isBusy, error, submit } = useSubmit(async () => {
    onRestarted(await askForQuiz(quiz.settings));
  });
  const total = quiz.session.questions.length;
  const missed = missedQuestions(quiz);
  const { practice, settings } = quiz;
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
          <MissedWords words={missed.map(missedWord)} {...settings} />
        </section>
      ) : (
        share === 1 && <p class="lead centered">{practice ? t.practised : t.quizPerfect}</p>
      )}
      <GuestOffer />
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        {missed.length > 0 && (
          <button
            type="button"
            class="primary"
            onClick={() => onRestarted(practise(missed, settings, randomInt, practice?.lobby))}
          >
            {t.practise}
          </button>
        )}
        {!practice && (
          <button
            type="button"
            class={missed.length > 0 ? 'secondary' : 'primary'}
            aria-busy={isBusy}
            onClick={submit}
          >
            {t.playAgain}
          </button>
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
