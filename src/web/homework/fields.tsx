// The fields of homework's forms: moments in local time, and the numbers of attempts.
import { useId } from 'preact/hooks';
import type { ATTEMPTS } from '../../assignments/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { choicesWith } from '../lobby/lobby-choices.ts';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';

interface TimeFieldProps {
  label: string;
  /** As the browser writes it: `2026-11-25T18:00`. */
  value: string;
  onValue(value: string): void;
  isOptional?: boolean;
}

export function TimeField({ label, value, onValue, isOptional = false }: TimeFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        required={!isOptional}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX: (typeof ATTEMPTS)['max'] = 10;
const OFFERED = [1, 2, 3, 5, MAX];

interface AttemptsChoiceProps {
  /** The number that holds, which another client may have set. */
  current?: number;
  value: number;
  onValue(attempts: number): void;
}

/** The number of attempts at homework. */
export function AttemptsChoice({ current = 1, value, onValue }: AttemptsChoiceProps) {
  const { t } = useI18n();
  const options = numberOptions(choicesWith(OFFERED, current));
  return <RadioGroup label={t.homework.attemptsEach} isNumeric options={options} value={value} onValue={onValue} />;
}
