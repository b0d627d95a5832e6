// A pause of the process is logged once, with its length.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logStalls } from '../../src/platform/overload/load.ts';

const logger = { warn: vi.fn() };
let nowMs = 0;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  stop = logStalls(logger);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets a time pass after which the timers of the process fire once. */
function pass(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(500);
}

it('a process that runs logs nothing, even if a turn of its event loop takes two seconds', () => {
  for (const ms of [500, 510, 2000, 500]) pass(ms);
  expect(logger.warn).not.toHaveBeenCalled();
});

it('a process that did not run for ten seconds logs one line with the duration', () => {
  pass(500);
  pass(10_000);
  pass(500);
  expect(logger.warn.mock.calls).toEqual([[{ durationMs: 10_000 }, 'this process did not run']]);
});
