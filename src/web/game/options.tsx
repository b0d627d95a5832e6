// The options of a question as buttons, before and after the answer, each with its colour and shape.
import type { Question } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

interface OptionsProps {
  question: Pick<Question, 'options'>;
  lang: string | undefined;
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
        const state = stateOf(optionId, selected, correct, isOpen);
        return (
          <button
            key={optionId}
            type="button"
            class={`option option-${state} ${optionClass(optionId)}`}
            // `disabled` would take the focus from the button that was just pressed.
            aria-disabled={!isOpen}
            aria-pressed={optionId === selected}
            onClick={() => isOpen && onChoose(optionId)}
          >
            <OptionKey optionId={optionId} />
            <span class="option-text" lang={lang} dir="auto">
              {text}
            </span>
            <OptionState state={state} digit={isOpen ? optionId + 1 : null} />
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
        <div key={optionId} class={`option option-covered ${optionClass(optionId)}`}>
          <OptionKey optionId={optionId} />
        </div>
      ))}
    </div>
  );
}

const STATE_ICONS: { [S in State]?: IconName } = { right: 'check', wrong: 'cross', locked: 'lock' };

/** What became of the option, or before that the key that chooses it. */
function OptionState({ state, digit }: { state: State; digit: number | null }) {
  const icon = STATE_ICONS[state];
  if (icon) return <Icon name={icon} />;
  return (
    digit && (
      <span class="digit" aria-hidden="true">
        {digit}
      </span>
    )
  );
}

type State = ReturnType<typeof stateOf>;

function stateOf(optionId: number, selected: number | null, correct: number | null, isOpen: boolean) {
  if (optionId === correct) return 'right';
  if (optionId !== selected) return isOpen ? 'plain' : 'other';
  return correct === null ? 'locked' : 'wrong';
}

/** A triangle, a diamond, a circle and a square, as paths in a field of 24 by 24. */
const SHAPES = [
  'M12 3 22 20H2z',
  'M12 1.500 22.500 12 12 22.500 1.500 12z',
  'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z',
  'M3.500 3.500h17v17h-17z',
];

/** @returns the class whose style sets the colour of everything inside */
export function optionClass(optionId: number): string {
  return `in-option-${optionId % SHAPES.length}`;
}

/**
 * The mark of an option: a colour and a shape, the same on a projector, on a phone and in a result, so that a class
 * can name it. The shape tells it from the others without the colour. [WCAG 1.4.1]
 */
export function OptionKey({ optionId }: { optionId: number }) {
  return (
    <span class="key">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={SHAPES[optionId % SHAPES.length]} />
      </svg>
    </span>
  );
}
