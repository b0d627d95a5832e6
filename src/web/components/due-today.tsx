// What is due today, on top of the home screen; who has learned nothing yet sees nothing of it.
import type { Progress } from '../../learning/schema.ts';
import { client } from '../api.ts';
import { askForQuiz } from '../ask-quiz.ts';
import { deckOf } from '../deck-choice.ts';
import { hasLearned, mostDue, practiceCount, type WordsProgress } from '../due.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepQuiz } from '../kept.ts';
import type { QuizSettings } from '../quiz-state.ts';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { useSubmit } from '../use-submit.ts';
import { useDeckName } from '../use-words-name.ts';
import { Notice } from './notice.tsx';

export function DueToday({ progress }: { progress: Progress }) {
  const { t } = useI18n();
  const { dueNow, streakDays, reviewedToday } = progress;
  const words = mostDue(progress);
  if (!hasLearned(progress)) return null;
  const facts = [
    streakDays > 0 && t.learning.streak(streakDays),
    reviewedToday > 0 && t.learning.reviewedToday(reviewedToday),
  ].filter((fact) => fact !== false);
  return (
    <section class="card due" aria-labelledby="due">
      <div>
        <h2 id="due">{dueNow > 0 ? t.learning.dueNow(dueNow) : t.learning.nothingDue}</h2>
        {facts.length > 0 && <p class="hint">{facts.join(' · ')}</p>}
      </div>
      {words && <Practise words={words} />}
    </section>
  );
}

function Practise({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const user = useUser();
  const deckName = useDeckName();
  const count = practiceCount(words);
  const { isBusy, error, submit } = useSubmit(async () => {
    keepQuiz(user.id, await askForQuiz(await smartSettings(words, count)));
    navigate('/quiz');
  });
  return (
    <div class="due-way">
      <button type="button" class="primary" aria-busy={isBusy} onClick={submit}>
        {t.learning.practiseDue(count)}
      </button>
      <small class="hint">
        <bdi>{'listId' in words ? words.name : deckName(words)}</bdi>
      </small>
      {error && <Notice kind="error">{error}</Notice>}
    </div>
  );
}

async function smartSettings(words: WordsProgress, questionCount: number): Promise<QuizSettings> {
  const settings = { questionCount, order: 'smart' } as const;
  if (!('listId' in words)) return { ...settings, ...deckOf(words) };
  const { listId } = words;
  const { lists } = await client.getLists();
  const { sourceLanguage, targetLanguage } = lists.find((list) => list.listId === listId) ?? {};
  return { ...settings, listId, sourceLanguage, targetLanguage };
}
