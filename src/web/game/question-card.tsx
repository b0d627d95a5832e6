// A question: the word to translate and its options. The card takes the focus when it appears. The keys 1 to
// 4 answer only while the focus is inside. [WCAG 2.1.4]
import type { ComponentChildren } from 'preact';
import type { Question } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { useFocusWhenShown } from '../ui/page.tsx';
import type { Direction } from '../words/deck-choice.ts';
import { CoveredOptions, Options } from './options.tsx';
import { Seal } from './seal.tsx';

interface QuestionCardProps {
  question: Question;
  deck: Direction;
  /** Whether the question is to be read before its options appear. */
  isReading?: boolean;
  isOpen: boolean;
  selected: number | null;
  correct: number | null;
  /** Whether the service has committed itself to the right answer. */
  isSealed: boolean;
  onChoose(optionId: number): void;
  /** Shown below the options. */
  children?: ComponentChildren;
}

/** The question's id must be the `key`, so that each question gets a new card. */
export function QuestionCard(props: QuestionCardProps) {
  const {
    question,
    deck,
    isReading = false,
    selected,
    correct,
    isSealed,
    onChoose,
    children,
  } = props;
  const isOpen = props.isOpen && !isReading;
  const { t, languageName } = useI18n();
  const heading = useFocusWhenShown();
  const { sourceLanguage, targetLanguage } = deck;
  return (
    <section
      class="question"
      aria-labelledby="prompt"
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !isOpen) return;
        const option = question.options?.[Number(event.key) - 1];
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
      {isReading ? (
        <CoveredOptions question={question} />
      ) : (
        <Options
          question={question}
          lang={targetLanguage}
          isOpen={isOpen}
          selected={selected}
          correct={correct}
          onChoose={onChoose}
        />
      )}
      {children}
      {isSealed && <Seal isOpened={correct !== null} />}
    </section>
  );
}
