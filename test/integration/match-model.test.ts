// Random interleavings of everything that can happen to a game, with crashes and outages between any
// two commands, against the real scripts, use cases and stores. What must hold is in the model, in
// test/support/storm. INTERLEAVINGS and SEED in the environment ask for more, and for others.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { connectPostgres } from '../../src/platform/postgres.ts';
import { connectRedis } from '../../src/platform/redis.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import type { Order } from '../support/storm/errands.ts';
import {
  CONNECTED,
  type GameSettings,
  INTERMISSION_MS,
  type StormDeps,
  USERS,
} from '../support/storm/lobby.ts';
import type { Fate } from '../support/storm/stepper.ts';
import { type Move, rage } from '../support/storm/storm.ts';

const INTERLEAVINGS = Number(process.env.INTERLEAVINGS ?? 400);
const SEED = Number(process.env.SEED ?? 20_261_121);
const TIMEOUT_MS = 60_000 + INTERLEAVINGS * 500;

let stores: TestStores;
let deps: StormDeps;

beforeAll(async () => {
  stores = await startStores();
  const logger = createLogger('silent', 'test');
  const db = connectPostgres(stores.databaseUrl, 2);
  const redis = connectRedis({ url: stores.redisUrl, cluster: false }, 'commands', logger);
  // Names may hold anything that a field of a hash could be cut at.
  const names = ['Ada', '2 Ben', ' ', 'İda : {x}', 'Eve'];
  const users = await Promise.all(
    names.map(async (name, index) => {
      const email = `${index}@example.com`;
      const { id } = await db.user.create({ data: { name, email, emailVerified: true } });
      return { id, name };
    }),
  );
  deps = { db, redis, logger, users };
});

afterAll(async () => {
  deps.redis.disconnect();
  await deps.db.$disconnect();
  await stores.stop();
});

/** Anybody, but mostly those who play from the start. */
const PLAYERS = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: CONNECTED - 1 }) },
  { weight: 1, arbitrary: fc.nat({ max: USERS - 1 }) },
);

const ANSWERS: fc.Arbitrary<Order> = fc.record({
  do: fc.constant('answer'),
  player: PLAYERS,
  isAwaited: fc.boolean(),
  to: fc.constantFrom('open', 'open', 'open', 'open', 'earlier', 'foreign'),
  optionId: fc.nat({ max: 3 }),
});

const COMINGS_AND_GOINGS: fc.Arbitrary<Order> = fc.record({
  do: fc.constantFrom('come', 'come', 'come', 'leave', 'leave', 'disconnect', 'join', 'kick'),
  player: fc.nat({ max: USERS - 1 }),
});

const UPKEEP: fc.Arbitrary<Order> = fc.record({
  do: fc.constantFrom('touch', 'touch', 'clock', 'clock', 'sweep', 'start'),
});

const COMMANDS: fc.Arbitrary<Order> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('next' as const), isStale: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
);

const IN_A_GAME: fc.Arbitrary<Order> = fc.oneof(
  { weight: 5, arbitrary: ANSWERS },
  { weight: 1, arbitrary: COMMANDS },
  { weight: 2, arbitrary: COMINGS_AND_GOINGS },
  { weight: 3, arbitrary: UPKEEP },
);

/** Whoever did not connect before comes and goes, which also makes a start look again. */
const AT_THE_START: fc.Arbitrary<Order> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('start', 'start', 'clock', 'sweep', 'touch') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('join', 'come', 'come', 'leave', 'disconnect'),
      player: fc.integer({ min: CONNECTED, max: USERS - 1 }),
    }),
  },
  { weight: 1, arbitrary: ANSWERS },
);

const FATES: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 10, arbitrary: fc.constant('done') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('refused', 'unanswered', 'resent', 'died before', 'died after'),
  },
);

/** @param outages how often PostgreSQL goes away or comes back, against 8 errands that begin */
function movesOf(orders: fc.Arbitrary<Order>, outages: number): fc.Arbitrary<Move[]> {
  const move = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        move: fc.constant('begin' as const),
        order: orders,
        hasFastClock: fc.boolean(),
      }),
    },
    {
      weight: 14,
      arbitrary: fc.record({ move: fc.constant('step' as const), which: fc.nat(), fate: FATES }),
    },
    { weight: 3, arbitrary: fc.record({ move: fc.constant('run' as const), which: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        move: fc.constant('pass' as const),
        tenths: fc.constantFrom(1, 2, 3, 10),
      }),
    },
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

/** Tries so many storms, each beginning with `opening`. */
async function tryStorms(
  count: number,
  opening: Move[],
  storms: fc.Arbitrary<Move[]>,
): Promise<void> {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(SETTINGS, storms, async (settings, moves) => {
      runs++;
      await rage(deps, settings, [...opening, ...moves]);
    }),
    { numRuns: count, seed: SEED },
  );
  expect(runs).toBe(count);
}

const begin = (order: Order, hasFastClock = false): Move => ({
  move: 'begin',
  order,
  hasFastClock,
});
const START = begin({ do: 'start' });
/** Process `which` goes on by `count` commands. */
const step = (which: number, count = 1): Move[] =>
  Array.from({ length: count }, () => ({ move: 'step', which, fate: 'done' }));
const run = (which: number): Move => ({ move: 'run', which });

it(
  'a game goes question, result, question … finished, loses no answer and judges none twice, whatever interleaves, dies or is away',
  () => {
    const count = Math.ceil(INTERLEAVINGS * 0.7);
    return tryStorms(count, [START, run(0)], movesOf(IN_A_GAME, 1));
  },
  TIMEOUT_MS,
);

it(
  'of any number of starts one succeeds, and a game whose start dies in the middle starts all the same or leaves the lobby waiting',
  () => {
    const count = Math.floor(INTERLEAVINGS * 0.3);
    return tryStorms(count, [START, START], movesOf(AT_THE_START, 0));
  },
  TIMEOUT_MS,
);

const answer = (player: number): Move =>
  begin({ do: 'answer', player, isAwaited: false, to: 'open', optionId: 0 });

/**
 * Moments too narrow for chance to hit them often. A start reads the lobby, reads Redis twice, winds
 * the clock, marks the lobby running, reads it again, and opens the game.
 */
const NARROW: Record<string, Move[]> = {
  'a player leaves between the last look at the lobby and the opening of the game': [
    ...[START, ...step(0, 6)],
    ...[begin({ do: 'leave', player: 1 }), run(1), run(0)],
  ],
  'a member connects between the last look at the lobby and the opening of the game': [
    ...[START, ...step(0, 6)],
    ...[begin({ do: 'come', player: 2 }), run(1), run(0)],
  ],
  'the clock gives up a slow start, and a sweep finds its game not opened yet': [
    ...[START, ...step(0, 4), begin({ do: 'clock' }), run(1), ...step(0)],
    ...[begin({ do: 'sweep' }), ...step(1, 2), ...step(0), run(1), run(0)],
  ],
  'an answer is stored between a judge’s look at the round and the deadline': [
    ...[START, run(0), begin({ do: 'touch' }, true), ...step(0)],
    ...[answer(0), run(1), { move: 'pass', tenths: 10 } as const, run(0)],
  ],
  'a player leaves between a judge’s look at the round and its writing': [
    ...[START, run(0), answer(0), run(0), answer(1), ...step(0, 2)],
    ...[begin({ do: 'leave', player: 1 }), run(1), run(0)],
  ],
  'a member enters a round that everybody else has answered, and answers too': [
    ...[START, run(0), begin({ do: 'come', player: 2 }), ...step(0, 2)],
    ...[answer(0), run(1), answer(1), ...step(1), run(0), answer(2), run(1)],
  ],
  'everybody leaves, the last player after the bell': [
    ...[START, run(0), begin({ do: 'leave', player: 0 }), run(0)],
    ...[{ move: 'pass', tenths: 10 } as const, begin({ do: 'leave', player: 1 }), run(0)],
  ],
};

it.each(Object.entries(NARROW))('holds where %s', async (_, moves) => {
  const settings = { scoring: 'speed', hostPlays: true, lateJoin: false } as const;
  for (const intermissionMs of [0, INTERMISSION_MS] as const)
    await rage(deps, { ...settings, intermissionMs, key: [0, 1] }, moves);
});
