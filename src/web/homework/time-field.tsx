// A field for a date and a time in the user's own time zone.
import { useId } from 'preact/hooks';

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
