// The number of due words, and a button that practises them. Users who have learned nothing yet do not see
// it.
import type { Progress } from '../../learning/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { hasLearned, mostDue, practiceCount, type WordsProgress } from '../progress/due.ts';
import { PractiseButton } from '../quiz/practise-button.tsx';
import { useAnswerMode } from '../words/answer-mode.tsx';
import { useLearnedName } from '../words/use-words-name.ts';

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
      {words && <PractiseDue words={words} />}
    </section>
  );
}

function PractiseDue({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const wordsName = useLearnedName();
  const [answerMode, setAnswerMode] = useAnswerMode();
  const count = practiceCount(words);
  return (
    <div class="due-way">
      <PractiseButton words={words} count={count} class="primary" text={t.learning.practiseDue(count)} />
      <small class="hint">
        <bdi>{wordsName(words)}</bdi>
      </small>
      <label class="check">
        <input
          type="checkbox"
          checked={answerMode === 'typed'}
          onChange={(event) => setAnswerMode(event.currentTarget.checked ? 'typed' : 'choice')}
        />
        <span>{t.typed.practise}</span>
      </label>
    </div>
  );
}
