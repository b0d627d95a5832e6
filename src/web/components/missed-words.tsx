// The words that were missed: what was asked, what is right, and what was said instead.

import type { Direction } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import type { MissedWord } from '../quiz-state.ts';

interface MissedWordsProps extends Direction {
  words: MissedWord[];
}

export function MissedWords({ words, sourceLanguage, targetLanguage }: MissedWordsProps) {
  const { t } = useI18n();
  return (
    <ul class="missed ruled">
      {words.map(({ prompt, gloss, correct, chosen }) => (
        <li key={`${prompt} ${gloss}`}>
          <span class="missed-prompt" lang={sourceLanguage} dir="auto">
            {prompt}
            {gloss && <small>{gloss}</small>}
          </span>
          <span class="missed-answer">
            <strong lang={targetLanguage} dir="auto">
              {correct}
            </strong>
            <small>{chosen === null ? t.noAnswer : t.youSaid(chosen)}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}
