// The host's main button. It ignores presses for a moment after a new screen has appeared, since a second press meant the
// screen before.
import { useState } from 'preact/hooks';
import { monotonicMs } from '../game/clock.ts';
import { useIsBefore } from '../ui/use-now.ts';

/** How long presses and keys are ignored after a new screen appears, ms. */
export const SETTLE_MS = 600;

interface StepButtonProps {
  text: string;
  class: string;
  isDisabled: boolean;
  onPressed(): void;
}

/** What is on the screen must be the `key`, so that each screen gets a new button. */
export function StepButton({ text, class: kind, isDisabled, onPressed }: StepButtonProps) {
  const [shownAtMs] = useState(monotonicMs);
  const isNew = useIsBefore(shownAtMs + SETTLE_MS);
  return (
    <button
      type="button"
      class={kind}
      disabled={isDisabled}
      aria-disabled={isNew}
      onClick={() => !isNew && onPressed()}
    >
      {text}
    </button>
  );
}
