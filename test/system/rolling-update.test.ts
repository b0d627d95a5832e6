// A rolling update while fifty games run: replicas and workers are replaced one by one, as a deployment does
// it. [contract 5, 10]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGame, type Fleet, type Game, startFleet, startGame, untilFinished } from '../support/fleet.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createSignedInUser } from '../support/users.ts';

const GAMES = 50;
const THINK_MS = 3000;
const SERVICE_RESTART = 1012;

/**
 * Overrides for a busy machine: a round ends when all have answered, long before this time, and no replica refuses
 * requests because it gets too little CPU time, which no update is the cause of.
 */
const PATIENCE = { ROUND_DURATION_MS: '40000', BUSY_AFTER_MS: '1000000' };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet(PATIENCE);
}, 120_000);
afterAll(() => fleet?.stop());

/**
 * Sends requests continuously.
 * @returns a function that stops them and returns their number, and what each failure was
 */
async function keepAsking(): Promise<() => Promise<{ asked: number; failures: unknown[] }>> {
  const { cookie } = await createSignedInUser(fleet.services);
  const client = createHttpClient(fleet.url, { cookie });
  const failures: unknown[] = [];
  let asked = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      asked++;
      await client.post('/api/v1/game/start', { questionCount: 1 }).then(
        ({ status, body }) => void (status === 201 || failures.push([status, body])),
        (error) => void failures.push(error),
      );
      await sleep(25);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return { asked, failures };
  };
}

describe('a rolling update', () => {
  it('fails no request, closes sockets only with 1012, loses no answer, and leaves every game correct', async () => {
    const stopAsking = await keepAsking();
    const games: Game[] = [];
    const options = { players: 2, rounds: 5, thinkMs: THINK_MS };
    try {
      while (games.length < GAMES) {
        const batch = Array.from({ length: 10 }, () => startGame(fleet, options));
        games.push(...(await Promise.all(batch)));
      }
      for (const member of [...fleet.replicas, ...fleet.workers]) {
        expect(await member.stop()).toBe(0);
        await member.start();
        await sleep(500);
      }
      await Promise.all(games.map(untilFinished));
      for (const game of games) await checkGame(fleet, game);
      const codes = games.flatMap(({ robots }) => robots.flatMap((robot) => robot.closeCodes));
      expect(codes.length).toBeGreaterThan(0);
      expect(new Set(codes)).toEqual(new Set([SERVICE_RESTART]));
    } finally {
      for (const { robots } of games) for (const robot of robots) robot.stop();
    }
    const { asked, failures } = await stopAsking();
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  }, 300_000);
});
