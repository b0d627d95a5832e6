// The end of a quiz for one: the score, and the words to look at again.
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { missedWords, type Quiz, startQuiz } from '../quiz-state.ts';
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
    onRestarted(startQuiz(quiz.settings, await client.startGame(quiz.settings)));
  });
  const total = quiz.session.questions.length;
  const missed = missedWords(quiz);
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
          <MissedWords words={missed} {...quiz.settings} />
        </section>
      ) : (
        share === 1 && <p class="lead centered">{t.quizPerfect}</p>
      )}
      <GuestOffer />
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        <button type="button" class="primary" aria-busy={isBusy} onClick={submit}>
          {t.playAgain}
        </button>
        <Link to="/" class="button secondary">
          {t.otherWords}
        </Link>
      </div>
    </Page>
  );
}
