// The log lines about the stores' availability. [contract 18]
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Logger } from '../../src/platform/observability/logger.ts';
import { createStoreChecks, type StoreChecks } from '../../src/platform/outages/store-checks.ts';

let lines: string[];
let isAway: boolean;
let checks: StoreChecks;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  isAway = true;
  const logAt = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);
  const logger = { info: logAt('info'), error: logAt('error') } as Partial<Logger> as Logger;
  const postgres = async () => {};
  const redis = async () => {
    if (isAway) throw new Error('Command timed out');
  };
  checks = createStoreChecks({ postgres, redis }, logger);
});
afterEach(() => {
  checks.stop();
  vi.useRealTimers();
});

it('a store that does not respond for a moment is not logged, at the start and later', async () => {
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
  expect(lines).toEqual([]);
});

it('a store that is unavailable for longer is logged once, and once more when it is available again', async () => {
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lines).toEqual(['error: a store does not answer']);
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toEqual(['error: a store does not answer', 'info: a store is available again']);
});
