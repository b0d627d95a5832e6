// A rolling update while fifty games run: replicas and workers are replaced one by one, as a deployment does
// it. [contract 5, 10]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { checkGame, type Game, startGame, untilFinished } from '../support/games.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createSignedInUser } from '../support/users.ts';

const GAMES = 50;
const SERVICE_RESTART = 1012;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ ROUND_DURATION_MS: '15000' });
}, 120_000);
afterAll(() => fleet?.stop());

/**
 * Sends requests continuously.
 * @returns a function that stops them and returns the statuses, 0 for a failure
 */
async function keepAsking(): Promise<() => Promise<number[]>> {
  const { cookie } = await createSignedInUser(fleet.services);
  const client = createHttpClient(fleet.url, { cookie });
  const statuses: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const answer = await client
        .post('/api/v1/game/start', { questionCount: 1 })
        .catch(() => null);
      statuses.push(answer?.status ?? 0);
      await sleep(25);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return statuses;
  };
}

describe('a rolling update', () => {
  it('fails no request, closes sockets only with 1012, loses no answer, and leaves every game correct', async () => {
    const stopAsking = await keepAsking();
    const games: Game[] = [];
    const options = { players: 2, rounds: 5, thinkMs: 3000 };
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
      for (const game of games) await checkGame(fleet, game, { outageMs: 0 });
      const codes = games.flatMap(({ robots }) => robots.flatMap((robot) => robot.closeCodes));
      expect(codes.length).toBeGreaterThan(0);
      expect(new Set(codes)).toEqual(new Set([SERVICE_RESTART]));
    } finally {
      for (const { robots } of games) for (const robot of robots) robot.stop();
    }
    const statuses = await stopAsking();
    expect(statuses.length).toBeGreaterThan(100);
    expect(new Set(statuses)).toEqual(new Set([201]));
  }, 300_000);
});
