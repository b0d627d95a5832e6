import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { stopOnSignal } from '../../src/platform/signals.ts';

const logger = createLogger('silent', 'test');
let exits: unknown[];
let added: { event: string | symbol; listener: () => void }[];

beforeEach(() => {
  exits = [];
  added = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.spyOn(process, 'exit').mockImplementation((code) => exits.push(code) as never);
  // The test process must not get handlers, since they would remain after the test.
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    added.push({ event, listener });
    return process;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function signal(name: 'SIGTERM' | 'SIGINT'): Promise<void> {
  for (const { event, listener } of added) if (event === name) listener();
  await vi.advanceTimersByTimeAsync(0);
}

it('exits with 1 if stopping fails', async () => {
  stopOnSignal(logger, () => Promise.reject(new Error('broken')));
  await signal('SIGINT');
  expect(exits).toEqual([1]);
});

it('gives up after 25 seconds', async () => {
  stopOnSignal(logger, () => new Promise(() => {}));
  await signal('SIGTERM');
  await vi.advanceTimersByTimeAsync(24_900);
  expect(exits).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(exits).toEqual([1]);
});

it('treats one Ctrl-C that arrives twice as one signal, and exits at once on the next', async () => {
  stopOnSignal(logger, () => new Promise(() => {}));
  await signal('SIGINT');
  await vi.advanceTimersByTimeAsync(10);
  await signal('SIGINT');
  expect(exits).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  await signal('SIGINT');
  expect(exits).toEqual([1]);
});
