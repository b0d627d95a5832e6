// The rest of an intermission, as a bar that empties and in words.
import { useNow } from '../ui/use-now.ts';
import { type Countdown, remainingMs, remainingSeconds } from './clock.ts';

const TICK_MS = 100;

interface TimeBarProps {
  countdown: Countdown;
  /** Says what follows in how many seconds. */
  text(seconds: number): string;
}

export function TimeBar({ countdown, text }: TimeBarProps) {
  const nowMs = useNow(TICK_MS);
  return (
    <div class="time-bar">
      <p class="hint">{text(remainingSeconds(countdown, nowMs))}</p>
      <progress aria-hidden="true" max={countdown.durationMs} value={remainingMs(countdown, nowMs)} />
    </div>
  );
}
