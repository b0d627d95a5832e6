// The missed words, each with its right answer and the answer that was given.
import { useI18n } from '../i18n/index.tsx';
import type { MissedWord } from '../quiz/quiz-state.ts';
import type { Direction } from '../words/deck-choice.ts';
import { AlsoRight } from './typed-result.tsx';

interface MissedWordsProps extends Direction {
  words: MissedWord[];
}

export function MissedWords({ words, sourceLanguage, targetLanguage }: MissedWordsProps) {
  const { t } = useI18n();
  return (
    <ul class="missed ruled">
      {words.map(({ prompt, gloss, correct, also, chosen }) => (
        <li key={`${prompt} ${gloss}`}>
          <span class="missed-prompt" lang={sourceLanguage} dir="auto">
            {prompt}
            {gloss && <small>{gloss}</small>}
          </span>
          <span>
            <strong lang={targetLanguage} dir="auto">
              {correct}
            </strong>
            <AlsoRight texts={also} lang={targetLanguage} />
            {chosen !== '' && <small>{chosen === null ? t.noAnswer : t.youSaid(chosen)}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}
