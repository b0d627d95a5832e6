// The time of a game: the count before the first question, the time to read one, what is left of a round as a ring and of
// an intermission as a bar.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useI18n } from '../i18n/index.tsx';
import { announce } from '../ui/page.tsx';
import { type Countdown, remainingMs, remainingSeconds, useIsBefore, useNow } from './clock.ts';
import type { OpenRound } from './game-state.ts';

const TICK_MS = 200;
/** In the last seconds the ring changes its look, and a sound is played. */
const SHORT_SECONDS = 5;
const RADIUS = 44;
const LENGTH = 2 * Math.PI * RADIUS;

export function TimerRing({ countdown }: { countdown: Countdown }) {
  const { t } = useI18n();
  const nowMs = useNow(TICK_MS);
  const seconds = remainingSeconds(countdown, nowMs);
  // The ring is drawn one tick ahead, since a CSS transition moves it there during the tick.
  const share = remainingMs(countdown, nowMs + TICK_MS) / countdown.durationMs;
  const isShort = seconds <= SHORT_SECONDS;
  const totalSeconds = countdown.durationMs / 1000;
  const isUp = seconds === 0;
  // The effect depends on a range, since a busy or hidden page can miss any single second.
  useEffect(() => {
    if (isUp) announce(t.timeIsUp);
    else if (isShort && totalSeconds > SHORT_SECONDS) {
      announce(t.secondsLeft(seconds));
      playEffect('hurry');
    }
  }, [isShort, isUp]);
  return (
    <div class={isShort ? 'timer timer-short' : 'timer'} role="timer" aria-label={t.timeLeft} translate={false}>
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

const BAR_TICK_MS = 100;

/** The rest of an intermission, as a bar that empties and in words. */
export function TimeBar({ countdown, text }: { countdown: Countdown; text(seconds: number): string }) {
  const nowMs = useNow(BAR_TICK_MS);
  return (
    <div class="time-bar" translate={false}>
      <p class="hint">{text(remainingSeconds(countdown, nowMs))}</p>
      <progress aria-hidden="true" max={countdown.durationMs} value={remainingMs(countdown, nowMs)} />
    </div>
  );
}

type Opening = 'counting' | 'reading' | 'open';

/** Tells screen readers when a question that had to be read first can be answered. */
export function useOpening({ opensAtMs }: OpenRound, { settings }: Lobby): Opening {
  const { t } = useI18n();
  const promptAtMs = (opensAtMs ?? 0) - settings.readMs;
  const isCounting = useIsBefore(promptAtMs);
  const isReading = useIsBefore(opensAtMs ?? 0) || opensAtMs === null;
  useEffect(() => {
    if (!isReading && settings.readMs > 0) announce(t.answers);
  }, [isReading]);
  if (isCounting) return 'counting';
  return isReading ? 'reading' : 'open';
}

const COUNT_TICK_MS = 100;

/** The count of 3, 2, 1 before the first question. */
export function GetReady({ round, lobby }: { round: OpenRound; lobby: Lobby }) {
  const { t } = useI18n();
  const nowMs = useNow(COUNT_TICK_MS);
  const leftMs = (round.opensAtMs ?? 0) - lobby.settings.readMs - nowMs;
  const count = Math.max(1, Math.ceil(leftMs / 1000));
  useEffect(() => playEffect('tick'), [count]);
  return (
    <div class="get-ready">
      <p role="status">{t.getReady}</p>
      {/* A new key lets the animation begin anew. */}
      <strong key={count} aria-hidden="true" translate={false}>
        {count}
      </strong>
    </div>
  );
}
