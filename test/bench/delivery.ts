// Measures the cost of a game's message, from the start of the games to their end, the delay of results, and
// the cost of joining: at full load, and with players who think. The service is compared with a bare
// WebSocket server and Socket.IO.
import { type Contender, startFloor, startOurs } from './contenders.ts';
import { BY_PROCESS, type Cost, comparing, type Figure, IN_ALL, inTurns, sum } from './figures.ts';
import { measure } from './meter.ts';
import type { Field } from './players.ts';
import type { Stage } from './stage.ts';

const AT_ONCE: Field['thinkMs'] = [0, 0];
const IN_THEIR_TIME: Field['thinkMs'] = [200, 600];

const FIELDS = {
  '100 lobbies of 8, at once': { rooms: 100, players: 8, thinkMs: AT_ONCE },
  '16 lobbies of 50, at once': { rooms: 16, players: 50, thinkMs: AT_ONCE },
  '100 lobbies of 8, in their time': { rooms: 100, players: 8, thinkMs: IN_THEIR_TIME },
} as const;

const MOST_PLAYERS = Math.max(...Object.values(FIELDS).map(({ players }) => players));

/** The size of a run. */
const WHOLE = {
  repetitions: 5,
  rounds: 20,
  fields: Object.keys(FIELDS) as (keyof typeof FIELDS)[],
  withSocketIo: true,
};
const SHORT: typeof WHOLE = { repetitions: 3, rounds: 10, withSocketIo: false, fields: ['100 lobbies of 8, at once'] };

export const measureDelivery = (stage: Stage) => measureFields(stage, WHOLE);
export const measureDeliveryIn = (field: keyof typeof FIELDS) => (stage: Stage) =>
  measureFields(stage, { ...WHOLE, fields: [field] });
export const measureDeliveryShortly = (stage: Stage) => measureFields(stage, SHORT);

/** The measurements of a contender in one field. */
type Outcome = Awaited<ReturnType<typeof playField>>;

async function measureFields(stage: Stage, extent: typeof WHOLE): Promise<Figure[]> {
  const contenders = [
    await startOurs(stage, MOST_PLAYERS),
    await startFloor(stage, 'bare WebSocket server'),
    ...(extent.withSocketIo ? [await startFloor(stage, 'Socket.IO')] : []),
  ];
  const figures: Figure[] = [];
  for (const name of extent.fields) {
    const field: Field = { ...FIELDS[name], rounds: extent.rounds };
    const runs = contenders.map((contender) => () => playField(stage, contender, field));
    figures.push(...figuresOf(name, contenders, await inTurns(extent.repetitions, runs)));
  }
  await Promise.all(contenders.map((contender) => contender.stop()));
  return figures;
}

/** Lets the players of a field enter and play. */
export async function playField(stage: Stage, { parts, enter }: Contender, field: Field) {
  const entered = await measure(stage, parts, () => enter(field));
  const rooms = entered.result;
  const { cost, result } = await measure(stage, parts, () => Promise.all(rooms.map((room) => room.play())));
  for (const room of rooms) room.close();
  const total = (part: 'delivered' | 'bytes' | 'surplus') => sum(result.map((played) => played[part]));
  return {
    entered,
    cost,
    players: field.rooms * field.players,
    delivered: total('delivered'),
    bytes: total('bytes'),
    surplus: total('surplus'),
    lateMs: result.flatMap(({ lateMs }) => lateMs),
  };
}

function figuresOf(name: string, contenders: Contender[], [ours = [], ...others]: Outcome[][]): Figure[] {
  const alone = comparing(ours);
  const compared = others.map((floor, index) => comparing(ours, contenders[index + 1]?.name, floor));
  const costs = (what: string, of: (outcome: Outcome) => [cost: Cost, count: number]) => [
    ...compared.flatMap((each) => each.costs(`${name}: ${what}`, 'µs', of, [IN_ALL])),
    ...alone.costs(`${name}: ${what}`, 'µs', of, BY_PROCESS),
  ];
  return [
    ...costs('a delivered message', ({ cost, delivered }) => [cost, delivered]),
    ...compared.flatMap((each) => each.quantiles(`${name}: last answer to result`, ({ lateMs }) => lateMs)),
    ...costs('to connect and join', ({ entered, players }) => [entered.cost, players]),
    alone.figure(`${name}: surplus messages`, 'of all', ({ surplus }) => surplus),
  ];
}
