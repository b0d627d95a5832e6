// Measures a room of a thousand on two replicas, and compares it with as many players in rooms of 8: how long all
// take to get in at once, and what a round costs, sends, and takes from its last answer to its result. Nothing that
// grows with the room may go to everybody, so that a player of the large room must not cost more. [contract 19]
import { type Contender, startFloor } from './contenders.ts';
import { startCrowd } from './crowd.ts';
import { comparing, type Figure, inTurns, quantile } from './figures.ts';
import { COST_NAMES, type Cost, eachOf, measure } from './meter.ts';
import type { Field } from './players.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 3;
const PLAYERS = 1000;
const SMALL_ROOM = 8;
const ROUNDS = 10;
/** The players see the same screen and answer within this time, ms. */
const THINK_MS: Field['thinkMs'] = [0, 3000];

/** What the players of a field cost in one repetition. */
interface Outcome {
  entryS: number;
  /** Of a player's entry, ms. */
  entry: Cost;
  /** Of a player and round, µs. */
  round: Cost;
  roundKb: number;
  lateMs: number[];
}

export async function measureRoom(stage: Stage): Promise<Figure[]> {
  const [ours, floor] = [await startCrowd(stage, PLAYERS), await startFloor(stage)];
  const [large, small, least] = await inTurns(REPETITIONS, [
    () => playIn(stage, ours, PLAYERS),
    () => playIn(stage, ours, SMALL_ROOM),
    () => playIn(stage, floor, PLAYERS),
  ]);
  await Promise.all([ours.stop(), floor.stop()]);
  const besideSmall = comparing(large, '125 rooms of 8', small);
  const besideFloor = comparing(large, floor.name, least);
  const figures = [
    besideSmall('until all are in', 's', ({ entryS }) => entryS),
    ...COST_NAMES.map(([part, who]) => besideSmall(`a player’s entry, ${who}`, 'ms', ({ entry }) => entry[part])),
    ...COST_NAMES.map(([part, who]) => besideSmall(`a player and round, ${who}`, 'µs', ({ round }) => round[part])),
    besideFloor('a player and round, all processes', 'µs', ({ round }) => round.all),
    besideSmall('sent to a player a round', 'kB', ({ roundKb }) => roundKb),
    ...[besideSmall, besideFloor].flatMap((beside) =>
      [0.5, 0.99].map((share) =>
        beside(`last answer to result, p${share * 100}`, 'ms', ({ lateMs }) => quantile(lateMs, share)),
      ),
    ),
  ];
  return figures.map((figure) => ({ ...figure, name: `a room of 1,000: ${figure.name}` }));
}

async function playIn(stage: Stage, { parts, enter }: Contender, players: number): Promise<Outcome> {
  const rooms = PLAYERS / players;
  const field: Field = { rooms, players, rounds: ROUNDS, thinkMs: THINK_MS, atOnce: true };
  const entered = await measure(stage, parts, () => enter(field));
  const { cost, result } = await measure(stage, parts, () => Promise.all(entered.result.map((room) => room.play())));
  for (const room of entered.result) room.close();
  const bytes = result.reduce((sum, played) => sum + played.bytes, 0);
  return {
    entryS: entered.durationMs / 1000,
    entry: eachOf(entered.cost, PLAYERS * 1000),
    round: eachOf(cost, PLAYERS * ROUNDS),
    roundKb: bytes / 1000 / (PLAYERS * ROUNDS),
    lateMs: result.flatMap(({ lateMs }) => lateMs),
  };
}
