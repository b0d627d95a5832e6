// The progress with a deck or a list: how many words are known, being learned and new.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { PractiseButton } from '../quiz/practise-button.tsx';
import { lazyScreen } from '../ui/lazy.tsx';
import { useLearnedName } from '../words/use-words-name.ts';
import { stagesOf, type WordsProgress } from './due.ts';

const DeckWords = lazyScreen(async () => (await import('./deck-words.tsx')).DeckWords);

const COUNT = 10;
const STAGES = ['known', 'learning', 'fresh'] as const;

export function Stages({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const wordsName = useLearnedName();
  const [isOpen, setOpen] = useState(false);
  const stages = stagesOf(words);
  const all = stages.known + stages.learning + stages.fresh;
  return (
    <li>
      <div>
        <p>
          <bdi>{wordsName(words)}</bdi>
        </p>
        {/* The bar is hidden from screen readers; the numbers below say the same. */}
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
      <button type="button" class="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.learning.hideWords : t.learning.showWords}
      </button>
      {isOpen && <DeckWords words={words} />}
    </li>
  );
}
