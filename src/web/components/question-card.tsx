// A question on the screen: the word to translate and its answers. It takes the focus when it
// appears; as long as the focus is inside, the keys 1 to 4 answer. [WCAG 2.1.4]
import type { ComponentChildren } from 'preact';
import type { Question } from '../../vocabulary/schema.ts';
import type { Direction } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { Options } from './options.tsx';
import { useFocusWhenShown } from './page.tsx';
import { Seal } from './seal.tsx';

interface QuestionCardProps {
  question: Question;
  deck: Direction;
  isOpen: boolean;
  selected: number | null;
  correct: number | null;
  /** Whether the service has promised the right answer. */
  isSealed: boolean;
  onChoose(optionId: number): void;
  /** What is said below the answers. */
  children?: ComponentChildren;
}

/** Give it the question's id as `key`: another question is another card. */
export function QuestionCard(props: QuestionCardProps) {
  const { question, deck, isOpen, selected, correct, isSealed, onChoose, children } = props;
  const { t, languageName } = useI18n();
  const heading = useFocusWhenShown();
  const { sourceLanguage, targetLanguage } = deck;
  return (
    <section
      class="question"
      aria-labelledby="prompt"
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !isOpen) return;
        const option = question.options[Number(event.key) - 1];
        if (option) onChoose(option.optionId);
      }}
    >
      <div class="prompt">
        {targetLanguage && <p class="hint">{t.translateInto(languageName(targetLanguage))}</p>}
        <h2 id="prompt" ref={heading} tabIndex={-1}>
          <span lang={sourceLanguage} dir="auto">
            {question.prompt}
          </span>
          {question.gloss && (
            <small lang={sourceLanguage}>
              <span class="visually-hidden">, </span>
              {question.gloss}
            </small>
          )}
        </h2>
      </div>
      <Options
        question={question}
        lang={targetLanguage}
        isOpen={isOpen}
        selected={selected}
        correct={correct}
        onChoose={onChoose}
      />
      {children}
      {isSealed && <Seal isOpened={correct !== null} />}
    </section>
  );
}
