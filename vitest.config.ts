import { defineConfig } from 'vitest/config';
import { reporters, WaitingFirst } from './test/support/reporters.ts';

const shared = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/setup.ts'],
  // The timeouts are long for a busy machine: a hanging test fails late, and a slow one does not.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  // What fails is a defect, of the service or of the test.
  retry: 0,
};

/** These files measure times, so that nothing else may run at the same time. */
const ALONE = ['test/http/input-cost.test.ts', 'test/system/{account-timing,crossed-words,floods}.test.ts'];
/** Each of these files uses as much CPU time as ten others: they store many long lists, build, or start many processes. */
const LONG = [
  'test/client/build.test.ts',
  'test/tools/{command-help,prove}.test.ts',
  'test/vocabulary/list-budgets.test.ts',
];
/** These files need a Redis Cluster. */
const ON_CLUSTERS = ['test/platform/{cluster,cluster-changes}.test.ts'];
/** The tests of processes, and those that have a configuration of their own. */
const ELSEWHERE = ['test/system/**', 'test/browser/**', 'test/ops/**'];
const onOneRedis = { ...shared, provide: { redisMode: 'single' as const } };
const onCluster = { ...shared, provide: { redisMode: 'cluster' as const } };

export default defineConfig({
  test: {
    reporters,
    // The files of one worker share their modules, since loading them for each file took half of the time.
    isolate: false,
    // Files mostly wait for timers and servers, so that two cores can run more than two workers.
    maxWorkers: 6,
    // Tests of memory collect garbage first, also that of earlier files.
    execArgv: ['--expose-gc'],
    sequence: { sequencer: WaitingFirst },
    projects: [
      // npm test runs `quick` and `smoke`; npm run test:system runs the rest.
      {
        test: {
          ...onOneRedis,
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...ON_CLUSTERS, ...ALONE, ...LONG],
        },
      },
      { test: { ...onCluster, name: 'smoke', include: ['test/match/game.test.ts'] } },
      { test: { ...onOneRedis, name: 'all', include: ['test/**/*.test.ts'], exclude: ELSEWHERE.slice(1) } },
      {
        test: {
          ...onOneRedis,
          name: 'system',
          // This project runs the interleavings of `quick` and more of them; see `test:system`.
          include: ['test/system/**/*.test.ts', 'test/match/model.test.ts', ...LONG],
          exclude: ALONE,
        },
      },
      {
        test: {
          ...onOneRedis,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          // They begin when all other files have ended.
          sequence: { groupOrder: 1 },
        },
      },
      {
        // This project runs every Lua script, the channels and the queues on a Redis Cluster of three masters. It leaves
        // out what PostgreSQL or a rule decides, which is the same there.
        test: {
          ...onCluster,
          name: 'cluster',
          include: [
            ...ON_CLUSTERS,
            'test/accounts/guest-budgets.test.ts',
            'test/lobby/{bursts,checks,code-guessing,log-budget,room}.test.ts',
            'test/match/{host,start,typed-games}.test.ts',
            'test/singleplayer/{answers,learn-quizzes,sessions}.test.ts',
            'test/vocabulary/vocabulary.test.ts',
          ],
        },
      },
    ],
  },
});
