import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../src/vocabulary/import/progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Shows an import that reads 1,000 terms and a tenth of its file a second. */
function watch(isTTY: boolean, seconds: number): string[] {
  const progress = { lines: 0, bytesRead: 0, bytesTotal: 50_000 };
  const written: string[] = [];
  const output = { isTTY, write: (text: string) => written.push(text) > 0 };
  const stop = showProgress(progress, output);
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(999);
    progress.lines += 1000;
    progress.bytesRead += 5000;
    vi.advanceTimersByTime(1);
  }
  stop();
  const count = written.length;
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(count);
  return written;
}

test('an import shows its progress on a terminal in one line, which is gone in the end', () => {
  const written = watch(true, 2);
  expect(written).toHaveLength(11);
  expect(written[9]).toBe('\r2,000 terms read, 20 %\u001B[K');
  expect(written[10]).toBe('\r\u001B[K');
  expect(written.join('')).not.toContain('\n');
});

test('elsewhere it writes a line every five seconds', () => {
  expect(watch(false, 4)).toEqual([]);
  expect(watch(false, 10)).toEqual(['5,000 terms read, 50 %\n', '10,000 terms read, 100 %\n']);
});
