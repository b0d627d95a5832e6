// What is due today, on top of the home screen; who has learned nothing yet sees nothing of it.
import type { Progress } from '../../learning/schema.ts';
import { hasLearned, mostDue, practiceCount, type WordsProgress } from '../due.ts';
import { useI18n } from '../i18n/index.tsx';
import { useLearnedName } from '../use-words-name.ts';
import { PractiseButton } from './practise-button.tsx';

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
  const wordsName = useLearnedName();
  const count = practiceCount(words);
  return (
    <div class="due-way">
      <PractiseButton
        words={words}
        count={count}
        class="primary"
        text={t.learning.practiseDue(count)}
      />
      <small class="hint">
        <bdi>{wordsName(words)}</bdi>
      </small>
    </div>
  );
}
