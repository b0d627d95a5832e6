import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../src/tools/command.ts';
import { describeProgress } from '../../src/tools/import/report.ts';
import { captureLog } from '../support/log-capture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Displays an import that reads 1,000 terms and a tenth of its file per second. */
function watch(isTTY: boolean, seconds: number): string {
  const progress = { lines: 0, bytesRead: 0, bytesTotal: 50_000 };
  const { stream, text } = captureLog();
  const output = Object.assign(stream, { isTTY });
  const stop = showProgress((elapsedMs) => describeProgress(progress, elapsedMs), output);
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(999);
    progress.lines += 1000;
    progress.bytesRead += 5000;
    vi.advanceTimersByTime(1);
  }
  stop();
  const written = text();
  vi.advanceTimersByTime(60_000);
  expect(text()).toBe(written);
  return written;
}

test('an import rewrites a line with the share and the rate on a terminal', () => {
  const written = watch(true, 5);
  expect(written).toMatch(/\r\S*4,000 terms read, 40 %, [\d,]+ a second/);
  expect(written).not.toContain('\n');
});

test('an import writes a line every five seconds elsewhere', () => {
  expect(watch(false, 4)).toBe('');
  expect(watch(false, 10)).toBe(
    '5,000 terms read, 50 %, 1,000 a second\n10,000 terms read, now their questions are counted\n',
  );
});
