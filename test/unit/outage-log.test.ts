// How a failure that nobody else reports is logged. [contract 17]
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Longer than the pause after which an outage is over, ms. */
const OVER_MS = 5000;

const logger = { warn: vi.fn(), error: vi.fn() };

// The module has the state of the process's outages, so that each test gets a new one.
let logFailure: typeof import('../../src/platform/outages/outage-log.ts')['logFailure'];
beforeEach(async () => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.resetModules();
  ({ logFailure } = await import('../../src/platform/outages/outage-log.ts'));
});
afterEach(() => vi.useRealTimers());

it.each(['warn', 'error'] as const)(
  'logs a defect at the level %s that the caller gives',
  (level) => {
    const err = new Error('a defect');
    logFailure(logger, level, err, 'progress not sent', { lobbyId: 'one' });
    expect(logger[level].mock.calls).toEqual([[{ err, lobbyId: 'one' }, 'progress not sent']]);
    expect(logger[level === 'warn' ? 'error' : 'warn']).not.toHaveBeenCalled();
  },
);

it('counts what an outage explains, whatever the level', () => {
  const err = new Error('Command timed out');
  logFailure(logger, 'error', err, 'job failed');
  logFailure(logger, 'warn', err, 'progress not sent');
  vi.advanceTimersByTime(OVER_MS);
  expect(logger.warn.mock.calls).toMatchObject([
    [{ err }, 'a store is away: what needs it is refused, and counted'],
    [{ refused: 2 }, 'a store was away'],
  ]);
  expect(logger.error).not.toHaveBeenCalled();
});
