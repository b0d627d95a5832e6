// Measures a room of a thousand on two replicas, and compares it with as many players in rooms of 8: how long all
// take to get in at once, and what a round costs, sends, and takes from its last answer to its result. Nothing that
// grows with the room may go to everybody, so that a player of the large room must not cost more. [contract 19]
import { type Contender, startCrowd, startFloor } from './contenders.ts';
import { playField } from './delivery.ts';
import { comparing, type Figure, IN_ALL, inTurns } from './figures.ts';
import type { Field } from './players.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 3;
const PLAYERS = 1000;
const SMALL_ROOM = 8;
const ROUNDS = 10;
const PLAYER_ROUNDS = PLAYERS * ROUNDS;
/** The players see the same screen and answer within this time, ms. */
const THINK_MS: Field['thinkMs'] = [0, 3000];

export async function measureRoom(stage: Stage): Promise<Figure[]> {
  const [ours, floor] = [await startCrowd(stage, PLAYERS), await startFloor(stage, 'bare WebSocket server')];
  const [large, small, least] = await inTurns(REPETITIONS, [
    () => playIn(stage, ours, PLAYERS),
    () => playIn(stage, ours, SMALL_ROOM),
    () => playIn(stage, floor, PLAYERS),
  ]);
  await Promise.all([ours.stop(), floor.stop()]);
  const besideSmall = comparing(large, '125 rooms of 8', small);
  const besideFloor = comparing(large, floor.name, least);
  const figures = [
    besideSmall.figure('until all are in', 's', ({ entered }) => entered.durationMs / 1000),
    ...besideSmall.costs('a player’s entry', 'ms', ({ entered }) => [entered.cost, PLAYERS]),
    ...besideSmall.costs('a player and round', 'µs', ({ cost }) => [cost, PLAYER_ROUNDS]),
    ...besideFloor.costs('a player and round', 'µs', ({ cost }) => [cost, PLAYER_ROUNDS], [IN_ALL]),
    besideSmall.figure('sent to a player a round', 'kB', ({ bytes }) => bytes / 1000 / PLAYER_ROUNDS),
    ...[besideSmall, besideFloor].flatMap((beside) =>
      beside.quantiles('last answer to result', ({ lateMs }) => lateMs),
    ),
  ];
  return figures.map((figure) => ({ ...figure, name: `a room of 1,000: ${figure.name}` }));
}

const playIn = (stage: Stage, contender: Contender, players: number) =>
  playField(stage, contender, { rooms: PLAYERS / players, players, rounds: ROUNDS, thinkMs: THINK_MS, atOnce: true });
