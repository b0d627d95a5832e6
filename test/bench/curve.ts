// Measures the cost of a message while the number of games grows, for the service and the bare server. A
// rising line would mean that some cost grows with the load. The bench writes a plot to cost.svg beside this
// file.
import { writeFileSync } from 'node:fs';
import { type Contender, startFloor, startOurs } from './contenders.ts';
import { playField } from './delivery.ts';
import { type Figure, median } from './figures.ts';
import { drawPlot } from './plot.ts';
import type { Stage } from './stage.ts';

const GAMES = [100, 200, 500, 1000, 2000];
const PLAYERS = 4;
const ROUNDS = 4;
const REPETITIONS = 3;
/** Players answer quickly: a round takes some five seconds. */
const THINK_MS: [number, number] = [1000, 5000];
const STARTS_OVER_MS = 5000;

export async function plotCurve(stage: Stage): Promise<Figure[]> {
  const contenders = [
    await startOurs(stage, PLAYERS, { ROUND_DURATION_MS: '30000' }),
    await startFloor(stage),
  ] as const;
  const lines = contenders.map(({ name }) => ({ name, points: [] as [number, number][] }));
  const figures: Figure[] = [];
  for (const rooms of GAMES) {
    const [ours = [], floor = []] = await costsAt(stage, contenders, rooms);
    for (const [index, values] of [ours, floor].entries()) {
      lines[index]?.points.push([rooms, median(values)]);
    }
    figures.push({
      name: `a delivered message, ${rooms} games of 4 at once`,
      unit: 'µs',
      values: ours,
      floor: { name: contenders[1].name, values: floor },
    });
  }
  await Promise.all(contenders.map((contender) => contender.stop()));
  const labels = { title: 'CPU of all processes a delivered message', x: 'games at once', y: 'µs' };
  writeFileSync(new URL('cost.svg', import.meta.url), drawPlot(labels, lines));
  return figures;
}

/** @returns for each contender a value for each repetition, measured in turns */
async function costsAt(stage: Stage, contenders: readonly Contender[], rooms: number): Promise<number[][]> {
  const costs = contenders.map((): number[] => []);
  const field = { rooms, players: PLAYERS, rounds: ROUNDS, thinkMs: THINK_MS };
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    for (const [index, contender] of contenders.entries()) {
      const { message } = await playField(stage, contender, field, STARTS_OVER_MS);
      costs[index]?.push(message.all);
    }
  }
  return costs;
}
