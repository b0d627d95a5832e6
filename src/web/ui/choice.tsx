// Two inputs that choose one of several options: radio buttons for a few, a select element for many.
import { useId } from 'preact/hooks';

interface ChoiceProps<T> {
  label: string;
  /** Numbers are laid out more closely than words. */
  isNumeric?: boolean;
  options: { value: T; text: string; title?: string | undefined }[];
  value: T;
  onValue(value: NoInfer<T>): void;
}

export function numberOptions(values: readonly number[]): { value: number; text: string }[] {
  return values.map((value) => ({ value, text: String(value) }));
}

export function RadioGroup<T extends string | number>(props: ChoiceProps<T>) {
  const { label, isNumeric = false, options, value, onValue } = props;
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class={isNumeric ? 'choice-row choice-numbers' : 'choice-row'}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>
              {option.text}
              {option.title && <small>{option.title}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Select<T extends string | number>(props: ChoiceProps<T>) {
  const { label, options, value, onValue } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={String(value)}
        onChange={(event) => {
          const chosen = options[event.currentTarget.selectedIndex];
          if (chosen) onValue(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
