// What is left of a round, as a ring that empties and a number. It follows the service's deadline,
// counted on a clock that nobody can set.
import { useEffect } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type Countdown, remainingMs, remainingSeconds } from '../clock.ts';
import { effect } from '../effects/effects.ts';
import { useI18n } from '../i18n/index.tsx';
import { useNow } from '../use-now.ts';

const TICK_MS = 200;
const SHORT_SECONDS = 5;
const RADIUS = 44;
const LENGTH = 2 * Math.PI * RADIUS;

export function TimerRing({ countdown }: { countdown: Countdown }) {
  const { t } = useI18n();
  const nowMs = useNow(TICK_MS);
  const seconds = remainingSeconds(countdown, nowMs);
  // A tick ahead: the ring glides to where it will be then.
  const share = remainingMs(countdown, nowMs + TICK_MS) / countdown.durationMs;
  const isShort = seconds <= SHORT_SECONDS;
  const totalSeconds = countdown.durationMs / 1000;
  const isUp = seconds === 0;
  // Not by one certain second: a page that is held up, or in the background, can miss it.
  useEffect(() => {
    if (isUp) announce(t.timeIsUp);
    else if (isShort && totalSeconds > SHORT_SECONDS) {
      announce(t.secondsLeft(seconds));
      effect('hurry');
    }
  }, [isShort, isUp]);
  return (
    <div class={isShort ? 'timer timer-short' : 'timer'} role="timer" aria-label={t.timeLeft}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="timer-track" cx="50" cy="50" r={RADIUS} />
        <circle
          class="timer-rest"
          cx="50"
          cy="50"
          r={RADIUS}
          stroke-dasharray={LENGTH}
          stroke-dashoffset={LENGTH * (1 - share)}
        />
      </svg>
      <span class="timer-number" aria-hidden="true">
        {seconds}
      </span>
      <span class="visually-hidden">{t.secondsLeft(seconds)}</span>
    </div>
  );
}
