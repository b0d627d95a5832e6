// Measures a room of a thousand on two replicas, and compares it with as many players in rooms of 8: how long all
// take to get in at once, and what a round costs, sends, and takes from its last answer to its result. Nothing that
// grows with the room may go to everybody, so that a player of the large room must not cost more. [contract 19]
import { type Contender, startFloor } from './contenders.ts';
import { startCrowd } from './crowd.ts';
import { type Figure, quantile } from './figures.ts';
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
  const large: Outcome[] = [];
  const small: Outcome[] = [];
  const least: Outcome[] = [];
  // The first repetition warms up.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    large.push(await playIn(stage, ours, PLAYERS));
    small.push(await playIn(stage, ours, SMALL_ROOM));
    least.push(await playIn(stage, floor, PLAYERS));
  }
  await Promise.all([ours.stop(), floor.stop()]);
  return figuresOf(large.slice(1), [
    { name: '125 rooms of 8', outcomes: small.slice(1) },
    { name: floor.name, outcomes: least.slice(1) },
  ]);
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

interface Compared {
  name: string;
  outcomes: Outcome[];
}

function figuresOf(large: Outcome[], compared: [small: Compared, floor: Compared]): Figure[] {
  const beside = (
    { name, outcomes }: Compared,
    what: string,
    unit: string,
    of: (outcome: Outcome) => number,
  ): Figure => ({
    name: `a room of 1,000: ${what}`,
    unit,
    values: large.map(of),
    floor: { name, values: outcomes.map(of) },
  });
  const late = (other: Compared, share: number) =>
    beside(other, `last answer to result, p${share * 100}`, 'ms', ({ lateMs }) => quantile(lateMs, share));
  const [small, floor] = compared;
  return [
    beside(small, 'until all are in', 's', ({ entryS }) => entryS),
    ...COST_NAMES.map(([part, who]) => beside(small, `a player’s entry, ${who}`, 'ms', ({ entry }) => entry[part])),
    ...COST_NAMES.map(([part, who]) => beside(small, `a player and round, ${who}`, 'µs', ({ round }) => round[part])),
    beside(floor, 'a player and round, all processes', 'µs', ({ round }) => round.all),
    beside(small, 'sent to a player a round', 'kB', ({ roundKb }) => roundKb),
    ...compared.flatMap((other) => [late(other, 0.5), late(other, 0.99)]),
  ];
}
