// The fields of homework's forms: moments in local time, and the numbers of attempts.
import { useId } from 'preact/hooks';
import type { ATTEMPTS } from '../../assignments/schema.ts';

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

/**
 * The numbers of attempts that the owner of homework can choose.
 * @param current the number that holds, which another client may have set
 */
export function attemptChoices(current = 1): number[] {
  return [...new Set([...OFFERED, current])].sort((one, other) => one - other);
}
