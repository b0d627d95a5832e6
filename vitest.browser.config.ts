import { defineConfig } from 'vitest/config';
import { reporters, WaitingFirst } from './test/support/reporters.ts';

/** The page to play on in a real browser: npm run test:browser. */
export default defineConfig({
  test: {
    reporters,
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    provide: { redisMode: 'single' },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    // As in vitest.config.ts: a file waits for rounds and animations most of the time. It has up to ten processes.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
  },
});
