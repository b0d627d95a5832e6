// The options of a question as buttons, before and after the answer.
import type { Question } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';

interface OptionsProps {
  question: Pick<Question, 'options'>;
  /** The language of the options; undefined if the lobby does not name it. */
  lang: string | undefined;
  /** Whether the question can be answered. */
  isOpen: boolean;
  selected: number | null;
  /** The right option; null until it is known. */
  correct: number | null;
  onChoose(optionId: number): void;
}

export function Options({ question, lang, isOpen, selected, correct, onChoose }: OptionsProps) {
  const { t } = useI18n();
  return (
    <fieldset class="options" aria-label={t.answers}>
      {question.options?.map(({ optionId, text }) => {
        const state = stateOf(optionId, selected, correct);
        return (
          <button
            key={optionId}
            type="button"
            class={`option option-${state}`}
            // `disabled` would take the focus from the button that was just pressed.
            aria-disabled={!isOpen}
            aria-pressed={optionId === selected}
            onClick={() => isOpen && onChoose(optionId)}
          >
            <span class="key" aria-hidden="true">
              {state === 'right' ? (
                <Icon name="check" />
              ) : state === 'wrong' ? (
                <Icon name="cross" />
              ) : state === 'locked' ? (
                <Icon name="lock" />
              ) : (
                optionId + 1
              )}
            </span>
            <span lang={lang} dir="auto">
              {text}
            </span>
            {state === 'right' && <span class="visually-hidden">{t.rightAnswer}</span>}
            {state === 'wrong' && <span class="visually-hidden">{t.yourAnswer}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}

/** The places of the options before they appear, so that the screen does not jump. */
export function CoveredOptions({ question }: Pick<OptionsProps, 'question'>) {
  return (
    <div class="options" aria-hidden="true">
      {question.options?.map(({ optionId }) => (
        <div key={optionId} class="option option-covered" />
      ))}
    </div>
  );
}

function stateOf(optionId: number, selected: number | null, correct: number | null) {
  if (optionId === correct) return 'right';
  if (optionId !== selected) return correct === null ? 'plain' : 'other';
  return correct === null ? 'locked' : 'wrong';
}
