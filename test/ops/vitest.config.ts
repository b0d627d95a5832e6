import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'tools',
          include: ['test/ops/*.test.ts'],
          globalSetup: ['test/ops/tools.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // As in vitest.config.ts.
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        // The rolling update once more, behind the real balancer.
        test: {
          name: 'haproxy',
          include: ['test/system/rolling-update.test.ts'],
          globalSetup: ['test/ops/tools.ts', 'test/support/global-setup.ts'],
          setupFiles: ['test/support/setup.ts'],
          hookTimeout: 120_000,
          retry: process.env.CI ? 1 : 0,
          provide: { redisMode: 'single' },
          env: { FLEET_BALANCER: 'haproxy' },
        },
      },
    ],
  },
});
