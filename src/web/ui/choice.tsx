// Inputs that choose: radio buttons one of a few options, a select element one of many, and a check box.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface ChoiceProps<T> {
  label: string;
  /** Numbers are laid out more closely than words. */
  isNumeric?: boolean;
  options: { value: T; text: string; title?: string | undefined }[];
  value: T;
  onValue(value: NoInfer<T>): void;
  /** A further input beside the options. */
  children?: ComponentChildren;
}

/** The longest text of an option that fits as little room as a number. */
const MAX_NARROW = 3;

interface CheckProps {
  isOn: boolean;
  onChange(isOn: boolean): void;
  children: ComponentChildren;
}

export function numberOptions(values: readonly number[]): { value: number; text: string }[] {
  return values.map((value) => ({ value, text: String(value) }));
}

export function RadioGroup<T extends string | number>(props: ChoiceProps<T>) {
  const { label, isNumeric = false, options, value, onValue, children } = props;
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class={isNumeric ? 'choice-row choice-numbers' : 'choice-row'}>
        {options.map((option) => (
          <label key={option.value} class={isNumeric && option.text.length > MAX_NARROW ? 'is-wide' : undefined}>
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
        {children}
      </div>
    </fieldset>
  );
}

/** A check box with its text. */
export function Check({ isOn, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
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
