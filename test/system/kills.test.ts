// Games can't be lost: whatever is killed during a round, every round still resolves exactly once with the
// same scores, and every client gets every event exactly once and in order. [contract 5.5, 5.9]
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { changePlayers, checkGame, type Disruption, startGame, untilFinished } from '../support/games.ts';

/**
 * The duration of a round. The robots answer in its first second; the rest is for faults and a busy machine.
 */
const ROUND_MS = 5000;
const THINK_MS = 1000;
/** The duration of intermissions, which two of the games have. */
const INTERMISSION_MS = 700;
const DISRUPT_AFTER_MS = 750;
const TIMEOUT_MS = 120_000;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ ROUND_DURATION_MS: String(ROUND_MS) });
}, 120_000);
afterAll(() => fleet?.stop());

/** Schedules a repair, for which the test waits before it ends. */
type Later = (delayMs: number, act: () => Promise<void> | undefined) => void;

/**
 * Plays three games and injects a fault into the first round. One game has a presenter, and a player joins
 * and another one is removed during it. Afterwards everything is checked.
 */
async function playDuring(disrupt: (later: Later) => Promise<Disruption>): Promise<void> {
  const options = { players: 3, rounds: 3, thinkMs: THINK_MS };
  const games = await Promise.all([
    startGame(fleet, options),
    // Each round of this game takes its whole time.
    startGame(fleet, { ...options, rounds: 2, isSilent: true, intermissionMs: INTERMISSION_MS }),
    startGame(fleet, { ...options, players: 4, isRoom: true, intermissionMs: INTERMISSION_MS }),
  ]);
  const [, , room] = games;
  const repairs: Promise<unknown>[] = [];
  try {
    await sleep(DISRUPT_AFTER_MS);
    const [disruption] = await Promise.all([
      disrupt((delayMs, act) => void repairs.push(sleep(delayMs).then(act))),
      changePlayers(fleet, room),
    ]);
    await Promise.all(games.map(untilFinished));
    for (const game of games) await checkGame(fleet, game, disruption);
  } finally {
    for (const { robots } of games) for (const robot of robots) robot.stop();
    await Promise.all(repairs);
  }
}

async function timed(act: () => Promise<void>): Promise<Disruption> {
  const startMs = Date.now();
  await act();
  return { outageMs: Date.now() - startMs };
}

describe('every round resolves exactly once and every client gets every event once, in order', () => {
  it('without a fault', () => playDuring(async () => ({ outageMs: 0 })), TIMEOUT_MS);

  it(
    'when a replica is killed',
    () =>
      playDuring(async (later) => {
        await fleet.replicas[0]?.kill();
        later(1000, () => fleet.replicas[0]?.start());
        return { outageMs: 0 };
      }),
    TIMEOUT_MS,
  );

  it(
    'when a worker is killed',
    () =>
      playDuring(async (later) => {
        await fleet.workers[0]?.kill();
        later(ROUND_MS, () => fleet.workers[0]?.start());
        return { outageMs: 0 };
      }),
    TIMEOUT_MS,
  );

  it(
    'when both workers are killed and restarted only after the game',
    async () => {
      await playDuring(async () => {
        await Promise.all(fleet.workers.map((worker) => worker.kill()));
        return { outageMs: 0 };
      });
      await Promise.all(fleet.workers.map((worker) => worker.start()));
    },
    TIMEOUT_MS,
  );

  it(
    'when Redis is killed and comes back with its append-only file',
    () =>
      playDuring(() =>
        timed(async () => {
          await fleet.stores.redis.kill();
          await sleep(1000);
          await fleet.stores.redis.start();
        }),
      ),
    TIMEOUT_MS,
  );

  it(
    'when Redis is down at the end of the round',
    () =>
      playDuring(async () => {
        const disruption = await timed(async () => {
          await fleet.stores.redis.kill();
          await sleep(ROUND_MS + 500);
          await fleet.stores.redis.start();
        });
        return { ...disruption, passesDeadline: true };
      }),
    TIMEOUT_MS,
  );

  it(
    'when Redis stops answering for two seconds',
    () =>
      playDuring(async () => {
        const disruption = await timed(async () => {
          fleet.stores.redis.pause();
          await sleep(2000);
          fleet.stores.redis.resume();
        });
        return { ...disruption, passesDeadline: true };
      }),
    TIMEOUT_MS,
  );

  it(
    'when the subscriptions of all replicas are cut repeatedly',
    () =>
      playDuring(async () => {
        const admin = new Redis(fleet.stores.redisUrl);
        for (let cut = 0; cut < 8; cut++) {
          await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
          await sleep(150 + Math.random() * 200);
        }
        admin.disconnect();
        return { outageMs: 0 };
      }),
    TIMEOUT_MS,
  );

  it(
    'when every connection to Redis is cut',
    () =>
      playDuring(async () => {
        const admin = new Redis(fleet.stores.redisUrl);
        for (let cut = 0; cut < 3; cut++) {
          await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
          await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
          await sleep(400);
        }
        admin.disconnect();
        return { outageMs: 0 };
      }),
    TIMEOUT_MS,
  );
});
