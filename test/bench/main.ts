// npm run bench: what the service costs, as ratios against a floor that is measured in the same run:
// the least that any service of this kind would have to do. Numbers of different machines, or of a
// busy and an idle one, differ; their ratios hardly do. Starts stores of its own, leaves nothing.

import { measureAnswers } from './answers.ts';
import { measureDelivery } from './delivery.ts';
import { measureFanOut } from './fan-out.ts';
import { type Figure, formatFigures } from './figures.ts';
import { measureGames } from './games.ts';
import { measureLateness } from './lateness.ts';
import { measureRequests } from './requests.ts';
import { measureSockets } from './sockets.ts';
import { openStage, type Stage } from './stage.ts';

const BENCHES: Record<string, (stage: Stage) => Promise<Figure[]>> = {
  requests: measureRequests,
  delivery: measureDelivery,
  'fan-out': measureFanOut,
  lateness: measureLateness,
  games: measureGames,
  sockets: measureSockets,
  answers: measureAnswers,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}, but: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(1);
}

const stage = await openStage();
process.once('SIGINT', () => void stage.close().then(() => process.exit(130)));
process.once('SIGTERM', () => void stage.close().then(() => process.exit(143)));
const figures: Figure[] = [];
try {
  for (const [name, measure] of Object.entries(BENCHES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const startedMs = performance.now();
    process.stderr.write(`${name} … `);
    figures.push(...(await measure(stage)));
    process.stderr.write(`${Math.round((performance.now() - startedMs) / 1000)} s\n`);
  }
} finally {
  await stage.close();
  if (figures.length > 0) console.log(formatFigures(figures));
}
