// The use cases of a game are interleaved at random, with crashes and outages between any two commands, on
// real scripts and stores. The model in test/support/interleaving checks the invariants. INTERLEAVINGS and
// SEED in the environment set the number of runs and the seed.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { CommandFault } from '../support/interleaving/gated-process.ts';
import {
  CONNECTED,
  type GameSettings,
  INTERMISSION_MS,
  type InterleavingDeps,
  USERS,
} from '../support/interleaving/lobby.ts';
import { type Move, runInterleaving } from '../support/interleaving/run.ts';
import type { TaskSpec } from '../support/interleaving/tasks.ts';
import { connectToPostgres, connectToRedis, useStores } from '../support/stores.ts';

const INTERLEAVINGS = Number(process.env.INTERLEAVINGS ?? 30);
const SEED = Number(process.env.SEED ?? 20_261_121);
const TIMEOUT_MS = 60_000 + INTERLEAVINGS * 500;

const stores = useStores();
let deps: InterleavingDeps;

beforeAll(async () => {
  const logger = createLogger('silent', 'test');
  const { db, postgres } = connectToPostgres(stores.databaseUrl, 2);
  const redis = connectToRedis(stores);
  // The names contain characters that a careless script could take for separators.
  const names = ['Ada', '2 Ben', ' ', 'İda : {x}', 'Eve'];
  const users = await db.user.createManyAndReturn({
    data: names.map((name, index) => ({ name, email: `${index}@example.com`, emailVerified: true })),
    select: { id: true, name: true },
  });
  deps = { db, postgres, redis, logger, users };
});

afterAll(async () => {
  deps.redis.disconnect();
  await deps.db.$disconnect();
});

/** The players, of whom those who play from the start are chosen more often. */
const PLAYERS = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: CONNECTED - 1 }) },
  { weight: 1, arbitrary: fc.nat({ max: USERS - 1 }) },
);

const ANSWERS: fc.Arbitrary<TaskSpec> = fc.record({
  do: fc.constant('answer'),
  player: PLAYERS,
  isAwaited: fc.boolean(),
  to: fc.constantFrom('open', 'open', 'open', 'open', 'earlier', 'foreign'),
  optionId: fc.nat({ max: 3 }),
});

const MEMBERSHIP: fc.Arbitrary<TaskSpec> = fc.record({
  do: fc.constantFrom('connect', 'connect', 'connect', 'leave', 'leave', 'disconnect', 'join', 'kick'),
  player: fc.nat({ max: USERS - 1 }),
});

const UPKEEP: fc.Arbitrary<TaskSpec> = fc.record({
  do: fc.constantFrom('touch', 'touch', 'clock', 'clock', 'sweep', 'start'),
});

const COMMANDS: fc.Arbitrary<TaskSpec> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('next' as const), isStale: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
);

const IN_A_GAME: fc.Arbitrary<TaskSpec> = fc.oneof(
  { weight: 5, arbitrary: ANSWERS },
  { weight: 1, arbitrary: COMMANDS },
  { weight: 2, arbitrary: MEMBERSHIP },
  { weight: 3, arbitrary: UPKEEP },
);

/** Further members join and leave during a start, which makes the start read the lobby again. */
const FURTHER_MEMBERS: fc.Arbitrary<TaskSpec> = fc.record({
  do: fc.constantFrom('join', 'connect', 'connect', 'leave', 'disconnect'),
  player: fc.integer({ min: CONNECTED, max: USERS - 1 }),
});

const AT_THE_START: fc.Arbitrary<TaskSpec> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('start', 'start', 'clock', 'sweep', 'touch') }) },
  { weight: 4, arbitrary: FURTHER_MEMBERS },
  { weight: 1, arbitrary: ANSWERS },
);

const FAULTS: fc.Arbitrary<CommandFault> = fc.oneof(
  { weight: 10, arbitrary: fc.constant('none') },
  { weight: 2, arbitrary: fc.constantFrom('refused', 'unanswered', 'resent', 'died before', 'died after') },
);

/** @param outages the weight of a beginning or ending outage of PostgreSQL; a beginning task has 8 */
function movesOf(specs: fc.Arbitrary<TaskSpec>, outages: number): fc.Arbitrary<Move[]> {
  const beginning = fc.record({ move: fc.constant('begin' as const), spec: specs, hasFastClock: fc.boolean() });
  const move = fc.oneof(
    { weight: 8, arbitrary: beginning },
    { weight: 14, arbitrary: fc.record({ move: fc.constant('step' as const), which: fc.nat(), fault: FAULTS }) },
    { weight: 3, arbitrary: fc.record({ move: fc.constant('run' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ move: fc.constant('pass' as const), tenths: fc.constantFrom(1, 2, 3, 10) }) },
    { weight: outages, arbitrary: fc.record({ move: fc.constant('outage' as const) }) },
  );
  return fc.array(move, { minLength: 40, maxLength: 120, size: 'max' });
}

const SETTINGS: fc.Arbitrary<GameSettings> = fc.record({
  scoring: fc.constantFrom('accuracy', 'speed', 'streak'),
  intermissionMs: fc.constantFrom(0, INTERMISSION_MS),
  hostPlays: fc.boolean(),
  lateJoin: fc.boolean(),
  key: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
});

/** Runs `count` random interleavings, each of which begins with `opening`. */
async function tryInterleavings(count: number, opening: Move[], interleavings: fc.Arbitrary<Move[]>): Promise<void> {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(SETTINGS, interleavings, async (settings, moves) => {
      runs++;
      await runInterleaving(deps, settings, [...opening, ...moves]);
    }),
    { numRuns: count, seed: SEED },
  );
  expect(runs).toBe(count);
}

const begin = (spec: TaskSpec, hasFastClock = false): Move => ({ move: 'begin', spec, hasFastClock });
const START = begin({ do: 'start' });
/** Process `which` executes its next `count` commands. */
const step = (which: number, count = 1): Move[] =>
  Array.from({ length: count }, () => ({ move: 'step', which, fault: 'none' }));
const run = (which: number): Move => ({ move: 'run', which });

it(
  'a game alternates questions and results until its end, loses no answer and judges none twice, in spite of crashes and outages',
  () => {
    const count = Math.ceil(INTERLEAVINGS * 0.7);
    return tryInterleavings(count, [START, run(0)], movesOf(IN_A_GAME, 1));
  },
  TIMEOUT_MS,
);

it(
  'of any number of starts one succeeds, and a game whose start crashes is started later or leaves the lobby waiting',
  () => {
    const count = Math.floor(INTERLEAVINGS * 0.3);
    return tryInterleavings(count, [START, START], movesOf(AT_THE_START, 0));
  },
  TIMEOUT_MS,
);

const answer = (player: number): Move => begin({ do: 'answer', player, isAwaited: false, to: 'open', optionId: 0 });
const leave = (player: number): Move => begin({ do: 'leave', player });
const CONNECT = begin({ do: 'connect', player: 2 });
const CLOCK = begin({ do: 'clock' });
const SWEEP = begin({ do: 'sweep' });
const END = begin({ do: 'end' });
const TOUCH_AHEAD = begin({ do: 'touch' }, true);
const PASS: Move = { move: 'pass', tenths: 10 };

/**
 * Interleavings that random runs rarely produce. A start reads the lobby, reads Redis twice, schedules the
 * clock, marks the lobby running, reads it again, and opens the game.
 */
it.each<[title: string, moves: Move[]]>([
  [
    'a player leaves between the last read of the lobby and the opening of the game',
    [START, ...step(0, 6), leave(1), run(1), run(0)],
  ],
  [
    'a member connects between the last read of the lobby and the opening of the game',
    [START, ...step(0, 6), CONNECT, run(1), run(0)],
  ],
  [
    'the clock abandons a slow start, and a sweep finds its game not opened yet',
    [START, ...step(0, 4), CLOCK, run(1), ...step(0), SWEEP, ...step(1, 2), ...step(0), run(1), run(0)],
  ],
  [
    'an answer is stored between the snapshot of a round and its deadline',
    [START, run(0), TOUCH_AHEAD, ...step(0), answer(0), run(1), PASS, run(0)],
  ],
  [
    'a player leaves between the snapshot of a round and the storing of its outcome',
    [START, run(0), answer(0), run(0), answer(1), ...step(0, 2), leave(1), run(1), run(0)],
  ],
  [
    'a member enters and answers a round that all others have answered',
    [START, run(0), CONNECT, ...step(0, 2), answer(0), run(1), answer(1), ...step(1), run(0), answer(2), run(1)],
  ],
  ['the host ends a game that is ended and not stored yet', [START, run(0), END, ...step(0, 4), END, run(1), run(0)]],
  ['all players leave, the last one after the deadline', [START, run(0), leave(0), run(0), PASS, leave(1), run(0)]],
])('the invariants hold when %s', async (_title, moves) => {
  const settings = { scoring: 'speed', hostPlays: true, lateJoin: false } as const;
  for (const intermissionMs of [0, INTERMISSION_MS] as const)
    await runInterleaving(deps, { ...settings, intermissionMs, key: [0, 1] }, moves);
});
