// Measures the cost of a game's end: a hundred games, of which each lacks one answer, get it at once. The cost
// contains this answer, the last result, the stored game, `game:finished`, and the end of the game's clock. What
// the memory learns from the game is measured by itself. The floor is a bare WebSocket server that stores each
// result by one INSERT.
import { setTimeout as sleep } from 'node:timers/promises';
import { findPendingGames } from '../../src/learning/learn-games.ts';
import { countClocks } from '../support/clocks.ts';
import { type Contender, startCrowd, startFloor } from './contenders.ts';
import { comparing, type Figure, inTurns } from './figures.ts';
import { measure } from './meter.ts';
import type { Field } from './players.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 9;
const GAMES = 100;
const FIELD = { rooms: GAMES, players: 8, rounds: 10, thinkMs: [0, 0] } satisfies Field;
/** Until then the answers before the last ones are stored, ms. */
const SETTLE_MS = 500;
const POLL_MS = 50;

export async function measureEnds(stage: Stage): Promise<Figure[]> {
  // Each user is in one lobby, since the memory of a user learns one game at a time.
  const ours = await startCrowd(stage, GAMES * FIELD.players);
  const floor = await startFloor(stage, 'bare server, one INSERT');
  const [own, least] = await inTurns(REPETITIONS, [() => endGames(stage, ours), () => endGames(stage, floor)]);
  await Promise.all([ours.stop(), floor.stop()]);
  const besideFloor = comparing(own, floor.name, least);
  return [
    ...besideFloor.costs('the end of a game of 8', 'ms', ({ end }) => [end, GAMES]),
    ...besideFloor.quantiles('last answer to game:finished', ({ endMs }) => endMs),
    ...comparing(own).costs('learning from it', 'ms', ({ learning }) => [learning, GAMES]),
  ];
}

async function endGames(stage: Stage, { parts, enter }: Contender) {
  const { services } = stage;
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let holding = 0;
  const rooms = await enter({
    ...FIELD,
    holdLastAnswer() {
      if (++holding === GAMES) held.resolve();
      return release.promise;
    },
  });
  const played = rooms.map((room) => room.play());
  await held.promise;
  await sleep(SETTLE_MS);
  await untilLearnerPauses(stage);
  const ended = await measure(stage, parts, async () => {
    release.resolve();
    const results = await Promise.all(played);
    while ((await countClocks(services)).some((count) => count > 0)) await sleep(POLL_MS);
    return results.flatMap(({ endMs }) => endMs);
  });
  const learned = await measure(stage, parts, () => untilLearned(stage));
  for (const room of rooms) room.close();
  return { end: ended.cost, learning: learned.cost, endMs: ended.result };
}

/** Waits until the worker has just learned, so that it begins its next turn after the ends. */
async function untilLearnerPauses(stage: Stage): Promise<void> {
  const now = new Date();
  const game = { id: crypto.randomUUID(), code: '000000', settings: {}, startedAt: now, finishedAt: now };
  await stage.services.db.game.create({ data: game });
  await untilLearned(stage);
}

async function untilLearned({ services }: Stage): Promise<void> {
  while ((await findPendingGames(services)).hasMore) await sleep(POLL_MS);
}
