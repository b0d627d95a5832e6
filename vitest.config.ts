import { defineConfig } from 'vitest/config';

const shared = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/setup.ts'],
  // For a machine that is busy with other work: what hangs fails late, what is slow doesn't.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  // CI's machine may stand still for seconds: there a test may fail once. A defect fails twice.
  retry: process.env.CI ? 1 : 0,
};

export default defineConfig({
  test: {
    // Two cores: every file runs servers of its own.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'all',
          include: ['test/{unit,integration,system}/**/*.test.ts'],
          exclude: ['test/integration/cluster-*.test.ts'],
          provide: { redisMode: 'single' },
        },
      },
      {
        // The games once more, on a Redis Cluster of three masters.
        test: {
          ...shared,
          name: 'cluster',
          include: ['test/integration/{cluster-,game,learning,lobb,room-,singleplayer}*.test.ts'],
          exclude: ['test/integration/game-survives.test.ts'],
          provide: { redisMode: 'cluster' },
        },
      },
    ],
  },
});
