import { defineConfig } from 'vitest/config';
import { reporters } from '../support/reporters.ts';

export default defineConfig({
  test: {
    reporters,
    // Prometheus' intervals take minutes, in which another file runs. More would starve each other: CI runs them beside
    // the tests of the page, which take longer.
    maxWorkers: 2,
    retry: 0,
    projects: [
      {
        test: {
          name: 'tools',
          include: ['test/ops/*.test.ts'],
          globalSetup: ['test/ops/tools.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The rolling update once more, behind the real load balancer.
        test: {
          name: 'haproxy',
          include: ['test/system/rolling-update.test.ts'],
          globalSetup: ['test/ops/tools.ts', 'test/support/global-setup.ts'],
          setupFiles: ['test/support/setup.ts'],
          hookTimeout: 120_000,
          provide: { redisMode: 'single' },
          env: { FLEET_BALANCER: 'haproxy' },
        },
      },
    ],
  },
});
