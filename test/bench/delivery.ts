// Measures the cost of a game's message, from the start of the games to their end, the delay of results, and
// the cost of joining: at full load, and with players who think. The service is compared with a bare
// WebSocket server and Socket.IO.
import { type Contender, startFloor, startOurs, startSocketIo } from './contenders.ts';
import { comparing, type Figure, inTurns, quantile } from './figures.ts';
import { COST_NAMES, type Cost, eachOf, measure } from './meter.ts';
import type { Field } from './players.ts';
import type { Stage } from './stage.ts';

/** The size of a run. */
interface Extent {
  repetitions: number;
  rounds: number;
  fields: readonly (keyof typeof FIELDS)[];
  withSocketIo: boolean;
}

const AT_ONCE: Field['thinkMs'] = [0, 0];
const IN_THEIR_TIME: Field['thinkMs'] = [200, 600];

const FIELDS = {
  '100 lobbies of 8, at once': { rooms: 100, players: 8, thinkMs: AT_ONCE },
  '16 lobbies of 50, at once': { rooms: 16, players: 50, thinkMs: AT_ONCE },
  '100 lobbies of 8, in their time': { rooms: 100, players: 8, thinkMs: IN_THEIR_TIME },
} as const;

const MOST_PLAYERS = Math.max(...Object.values(FIELDS).map(({ players }) => players));

const WHOLE: Extent = {
  repetitions: 5,
  rounds: 20,
  fields: Object.keys(FIELDS) as (keyof typeof FIELDS)[],
  withSocketIo: true,
};
const SHORT: Extent = { repetitions: 3, rounds: 10, withSocketIo: false, fields: ['100 lobbies of 8, at once'] };

export const measureDelivery = (stage: Stage) => measureFields(stage, WHOLE);
export const measureDeliveryIn = (field: keyof typeof FIELDS) => (stage: Stage) =>
  measureFields(stage, { ...WHOLE, fields: [field] });
export const measureDeliveryShortly = (stage: Stage) => measureFields(stage, SHORT);

/** The measurements of a contender in one field. */
type Outcome = Awaited<ReturnType<typeof playField>>;

async function measureFields(stage: Stage, extent: Extent): Promise<Figure[]> {
  const contenders = [
    await startOurs(stage, MOST_PLAYERS),
    await startFloor(stage),
    ...(extent.withSocketIo ? [await startSocketIo(stage)] : []),
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
  const sum = (part: 'delivered' | 'bytes' | 'surplus') => result.reduce((total, played) => total + played[part], 0);
  return {
    entered,
    cost,
    players: field.rooms * field.players,
    delivered: sum('delivered'),
    bytes: sum('bytes'),
    surplus: sum('surplus'),
    lateMs: result.flatMap(({ lateMs }) => lateMs),
  };
}

function figuresOf(name: string, contenders: Contender[], [ours = [], ...others]: Outcome[][]): Figure[] {
  const figure = (what: string, unit: string, of: (outcome: Outcome) => number): Figure[] =>
    others.map((floor, index) => comparing(ours, contenders[index + 1]?.name, floor)(`${name}: ${what}`, unit, of));
  const parts = (what: string, of: (outcome: Outcome) => Cost): Figure[] =>
    COST_NAMES.slice(1).map(([part, who]) =>
      comparing(ours)(`${name}: ${what}, ${who}`, 'µs', (outcome) => of(outcome)[part]),
    );
  const message = ({ cost, delivered }: Outcome) => eachOf(cost, delivered);
  const entry = ({ entered, players }: Outcome) => eachOf(entered.cost, players);
  return [
    ...figure('a delivered message, all processes', 'µs', (outcome) => message(outcome).all),
    ...parts('a delivered message', message),
    ...figure('last answer to result, p50', 'ms', ({ lateMs }) => quantile(lateMs, 0.5)),
    ...figure('last answer to result, p99', 'ms', ({ lateMs }) => quantile(lateMs, 0.99)),
    ...figure('to connect and join', 'µs', (outcome) => entry(outcome).all),
    ...parts('to connect and join', entry),
    comparing(ours)(`${name}: surplus messages`, 'of all', ({ surplus }) => surplus),
  ];
}
