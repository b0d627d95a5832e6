// What is logged of outages: failures that nobody else reports, and the availability of the stores. [contract 17, 18]
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createStoreChecks, type StoreChecks } from '../../src/platform/outages/store-checks.ts';
import { captureLog } from '../support/log-capture.ts';

/** Longer than the pause after which an outage is over, ms. */
const OVER_MS = 5000;

const logger = { warn: vi.fn(), error: vi.fn() };
const messages = () => logger.warn.mock.calls.map(([, message]) => message);
const AWAY = 'a store is away: what needs it is refused, and counted';

// The module has the state of the process's outages, so that each test gets a new one.
type OutageLog = typeof import('../../src/platform/outages/outage-log.ts');
let logFailure: OutageLog['logFailure'];
let noteAway: OutageLog['noteAway'];
beforeEach(async () => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.resetModules();
  ({ logFailure, noteAway } = await import('../../src/platform/outages/outage-log.ts'));
});
afterEach(() => vi.useRealTimers());

it.each(['warn', 'error'] as const)('logs a defect at the level %s that the caller gives', (level) => {
  const err = new Error('a defect');
  logFailure(logger, level, err, 'progress not sent', { lobbyId: 'one' });
  expect(logger[level].mock.calls).toEqual([[{ err, lobbyId: 'one' }, 'progress not sent']]);
  expect(logger[level === 'warn' ? 'error' : 'warn']).not.toHaveBeenCalled();
});

it('counts what an outage explains, whatever the level', () => {
  const err = new Error('Command timed out');
  logFailure(logger, 'error', err, 'job failed');
  logFailure(logger, 'warn', err, 'progress not sent');
  vi.advanceTimersByTime(OVER_MS);
  expect(logger.warn.mock.calls).toMatchObject([
    [{ store: 'redis', err }, AWAY],
    [{ store: 'redis', refused: 2 }, 'a store was away'],
  ]);
  expect(logger.error).not.toHaveBeenCalled();
});

it('counts the outages of both stores apart, each under its name', () => {
  logFailure(logger, 'error', new Error('Connection is closed.'), 'job failed');
  vi.advanceTimersByTime(2000);
  const ended = Object.assign(new Error('terminating connection'), { code: '57P01' });
  logFailure(logger, 'error', ended, 'job failed');
  vi.advanceTimersByTime(OVER_MS);
  expect(logger.warn.mock.calls.map(([{ store }, message]) => [store, message])).toEqual([
    ['redis', AWAY],
    ['postgres', AWAY],
    ['redis', 'a store was away'],
    ['postgres', 'a store was away'],
  ]);
});

it('does not call an outage over while checks of the store fail, although nothing is refused', () => {
  logFailure(logger, 'error', new Error('Command timed out'), 'job failed');
  for (let checks = 0; checks < 40; checks++) {
    vi.advanceTimersByTime(3000);
    noteAway('redis');
    noteAway('postgres');
  }
  expect(messages()).toEqual([AWAY, 'a store is still away', 'a store is still away']);
  vi.advanceTimersByTime(OVER_MS);
  expect(messages().at(-1)).toBe('a store was away');
  expect(logger.warn.mock.calls.at(-1)?.[0]).toEqual({ store: 'redis', refused: 1, durationMs: 120_000 });
});

it('calls a locked table no outage of the store, and logs one pair of lines for all cancelled statements', () => {
  const cancelled = () => Object.assign(new Error('canceling statement'), { code: '57014' });
  for (let turns = 0; turns < 5; turns++) {
    logFailure(logger, 'error', cancelled(), 'job failed');
    vi.advanceTimersByTime(6000);
  }
  vi.advanceTimersByTime(15_000);
  expect(logger.warn.mock.calls.map(([{ store, refused }, text]) => [store, refused, text])).toEqual([
    ['postgres', undefined, 'a store cancels statements that take too long: what needs them is refused, and counted'],
    ['postgres', 5, 'a store has stopped cancelling statements'],
  ]);
});

describe('a store that does not answer', () => {
  const log = captureLog();
  const lines = () => log.lines().map(({ level, msg }) => [level, msg]);
  let isAway: boolean;
  let checks: StoreChecks;

  beforeEach(() => {
    log.clear();
    isAway = true;
    const redis = async () => {
      if (isAway) throw new Error('Command timed out');
    };
    checks = createStoreChecks({ postgres: async () => {}, redis }, createLogger('info', 'test', log.stream));
  });
  afterEach(() => checks.stop());

  it('for a moment is not logged, at the start and later', async () => {
    // The process is busy with its start; the next check succeeds.
    await vi.advanceTimersByTimeAsync(2900);
    expect(await checks.look()).toEqual({ postgres: 'ok', redis: 'down' });
    isAway = false;
    await vi.advanceTimersByTimeAsync(4000);
    isAway = true;
    await vi.advanceTimersByTimeAsync(2000);
    expect(await checks.look()).toEqual({ postgres: 'ok', redis: 'down' });
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines()).toEqual([]);
  });

  it('for longer is logged once, and once more when it is available again', async () => {
    await vi.advanceTimersByTimeAsync(30_000);
    const silent = [50, 'a store does not answer'];
    expect(lines()).toEqual([silent]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines()).toEqual([silent, [30, 'a store is available again']]);
  });
});
