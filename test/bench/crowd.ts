// Measures the cost of a full room: one lobby of 200, compared with lobbies of 8 with as many players in all.
// A result contains every player's answer, so that its bytes grow with the square of the room's size;
// everything else should not.
import { type Contender, startFloor, startOurs } from './contenders.ts';
import { playField } from './delivery.ts';
import { type Figure, quantile } from './figures.ts';
import type { Field } from './players.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 3;
const ROUNDS = 5;
const PLAYERS = 200;
/** The players see the same screen and answer within this time, ms. */
const THINK_MS: Field['thinkMs'] = [500, 3000];

const FIELDS = { 'one lobby of 200': 200, '25 lobbies of 8': 8 } as const;
type Name = keyof typeof FIELDS;

/** The costs of 200 players, for one contender and field; one number for each repetition. */
interface Costs {
  roundMs: number[];
  entryMs: number[];
  roundKb: number[];
  p99Ms: number[];
}

export async function measureCrowd(stage: Stage): Promise<Figure[]> {
  const contenders = [
    // On a busy machine the last answer may take long; the clock must not end a round before.
    await startOurs(stage, PLAYERS, { ROUND_DURATION_MS: '30000' }),
    await startFloor(stage),
  ] as const;
  const costs = contenders.map(() => ({ 'one lobby of 200': none(), '25 lobbies of 8': none() }));
  // The first repetition warms up.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++)
    for (const name of Object.keys(FIELDS) as Name[])
      for (const [index, contender] of contenders.entries()) {
        const into = repetition === 0 ? none() : (costs[index]?.[name] as Costs);
        await playInto(into, stage, contender, FIELDS[name]);
      }
  await Promise.all(contenders.map((contender) => contender.stop()));
  const [ours, floor] = costs as [(typeof costs)[0], (typeof costs)[0]];
  const [large, small] = [ours['one lobby of 200'], ours['25 lobbies of 8']];
  const beside = (part: keyof Costs, what: string, unit: string): Figure[] => [
    {
      ...{ name: `one lobby of 200: ${what}`, unit, values: large[part] },
      floor: { name: '25 lobbies of 8', values: small[part] },
    },
    {
      ...{ name: `one lobby of 200: ${what}`, unit, values: large[part] },
      floor: { name: contenders[1].name, values: floor['one lobby of 200'][part] },
    },
  ];
  return [
    ...beside('roundMs', 'a round, all processes', 'ms'),
    ...beside('entryMs', 'to make, join and enter, all processes', 'ms'),
    ...beside('roundKb', 'what is sent a round', 'kB'),
    ...beside('p99Ms', 'last answer to result, p99', 'ms'),
  ];
}

const none = (): Costs => ({ roundMs: [], entryMs: [], roundKb: [], p99Ms: [] });

async function playInto(
  costs: Costs,
  stage: Stage,
  contender: Contender,
  players: number,
): Promise<void> {
  const rooms = PLAYERS / players;
  const field: Field = { rooms, players, rounds: ROUNDS, thinkMs: THINK_MS };
  const { message, entry, delivered, bytes, lateMs } = await playField(stage, contender, field);
  costs.roundMs.push((message.all * delivered) / 1000 / ROUNDS);
  costs.entryMs.push((entry.all * PLAYERS) / 1000);
  costs.roundKb.push(bytes / 1000 / ROUNDS);
  costs.p99Ms.push(quantile(lateMs, 0.99));
}
