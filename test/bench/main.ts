// The command `npm run bench`: it measures the service's cost as ratios to a floor in the same run, which is
// the cost of the least that any such service must do. Absolute numbers differ between machines and with
// their load, but the ratios hardly do. It starts stores of its own and leaves nothing behind. README.md
// beside this file describes the benches and their results.
import { parseArgs } from 'node:util';
import { measureAnswers } from './answers.ts';
import { measureComebacks } from './comebacks.ts';
import { JUDGED_PLAYERS, startOurs } from './contenders.ts';
import { measureDelivery, measureDeliveryIn, measureDeliveryShortly } from './delivery.ts';
import { measureEnds } from './ends.ts';
import { type Figure, formatFigures } from './figures.ts';
import { measureGames } from './games.ts';
import { measureHomework, measureHomeworkShortly } from './homework.ts';
import { compareWithKept, keepRatios } from './kept-ratios.ts';
import { measureLateness, measureLatenessOfMany } from './lateness.ts';
import { measureMasters } from './masters.ts';
import { measureReplays } from './replays.ts';
import { measureRequests, measureRequestsShortly } from './requests.ts';
import { measureRoom } from './room.ts';
import { measureSockets } from './sockets.ts';
import { closeStages, openStage, type Stage } from './stage.ts';

type Benches = Record<string, (stage: Stage) => Promise<Figure[]>>;

const BENCHES: Benches = {
  requests: measureRequests,
  delivery: measureDelivery,
  room: measureRoom,
  replays: measureReplays,
  comebacks: measureComebacks,
  lateness: measureLateness,
  ends: measureEnds,
  games: measureGames,
  sockets: measureSockets,
  answers: measureAnswers,
};
/** Benches that take long, and run only when they are named. */
const ASKED_FOR: Benches = {
  'delivery-full': measureDeliveryIn('100 lobbies of 8, at once'),
  'delivery-paced': measureDeliveryIn('100 lobbies of 8, in their time'),
  'delivery-50': measureDeliveryIn('16 lobbies of 50, at once'),
  // What the benches measure is judged alone.
  judged: async (stage) => {
    await (await startOurs(stage, JUDGED_PLAYERS)).stop();
    return [];
  },
  homework: measureHomeworkShortly,
  'homework-10000': measureHomework,
  'lateness-5000': measureLatenessOfMany,
  masters: measureMasters,
};
/** The benches of `--short`, which take about two minutes. */
const SHORT: Benches = { requests: measureRequestsShortly, delivery: measureDeliveryShortly };

const HELP = `npm run bench -- [NAME …] [--short] [--keep]
  Measures the cost of the service as ratios to a floor. It takes stores of its own, and leaves nothing behind.
  NAME     benches to run: ${Object.keys(BENCHES).join(', ')},
           which are also those without a NAME; and ${Object.keys(ASKED_FOR).join(', ')}
  --short  ${Object.keys(SHORT).join(' and ')} alone, in two minutes; exits with 1 if a ratio is worse than the kept one
  --keep   keeps the ratios in ratios.json, with which --short compares`;

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const known = values.short ? SHORT : { ...BENCHES, ...ASKED_FOR };
const unknown = names.filter((name) => !(name in known));
if (unknown.length > 0) console.error(`There is no bench ${unknown.join(', ')}.`);
if (values.help || unknown.length > 0) {
  console.log(HELP);
  process.exit(values.help ? 0 : 1);
}

const chosen = names.length > 0 ? names : Object.keys(values.short ? SHORT : BENCHES);
const stage = await openStage();
process.once('SIGINT', () => void closeStages().then(() => process.exit(130)));
process.once('SIGTERM', () => void closeStages().then(() => process.exit(143)));
const figures: Figure[] = [];
try {
  for (const name of chosen) {
    const startedMs = performance.now();
    process.stderr.write(`${name} … `);
    figures.push(...((await known[name]?.(stage)) ?? []));
    process.stderr.write(`${Math.round((performance.now() - startedMs) / 1000)} s\n`);
  }
} finally {
  await stage.close();
  if (figures.length > 0) console.log(formatFigures(figures));
}
if (values.keep) keepRatios(figures);
else if (values.short) process.exitCode = compareWithKept(figures) ? 0 : 1;
