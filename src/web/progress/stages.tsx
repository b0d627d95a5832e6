// How far one has got with a deck or a list: known, being learned, new.
import { PractiseButton } from '../components/practise-button.tsx';
import { stagesOf, type WordsProgress } from '../due.ts';
import { useI18n } from '../i18n/index.tsx';
import { useLearnedName } from '../use-words-name.ts';

const COUNT = 10;
const STAGES = ['known', 'learning', 'fresh'] as const;

export function Stages({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const wordsName = useLearnedName();
  const stages = stagesOf(words);
  const all = stages.known + stages.learning + stages.fresh;
  return (
    <li>
      <div>
        <p>
          <bdi>{wordsName(words)}</bdi>
        </p>
        {/* Seen only: the numbers below are the same. */}
        <svg viewBox={`0 0 ${Math.max(1, all)} 1`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="stage-fresh" width={all} height="1" />
          <rect class="stage-learning" width={stages.known + stages.learning} height="1" />
          <rect class="stage-known" width={stages.known} height="1" />
        </svg>
        <ul class="stage-counts">
          {STAGES.map((stage) => (
            <li key={stage} class={`stage-${stage}`}>
              {t.learning[stage](stages[stage])}
            </li>
          ))}
        </ul>
      </div>
      {words.questions > 0 && (
        <PractiseButton
          words={words}
          count={Math.min(COUNT, words.questions)}
          class="secondary"
          text={t.learning.practise}
        />
      )}
    </li>
  );
}
