// Games go on while the service's processes are replaced one by one, as a deployment does it, and while replicas are
// killed. [contract 5, 10, 24]
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Violation } from '../../src/tools/prove/history.ts';
import { prove } from '../../src/tools/prove/prove.ts';
import { eventually } from '../support/eventually.ts';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { playJudged } from '../support/oracle.ts';
import { createPlayer } from '../support/player.ts';
import { createSignedInUser, writeAccounts } from '../support/users.ts';

const PLAYERS = 16;
const SERVICE_RESTART = 1012;
/** The period in which games begin, ms; the update takes about as long. */
const PLAYED_MS = 30_000;
/** A deployment goes on when a process has been ready for a while: ten times the period of the balancers' checks, ms. */
const READY_MS = 3000;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
}, 180_000);
afterAll(() => fleet?.stop());

/** Sends requests continuously. */
async function keepAsking() {
  const { http } = await createPlayer(fleet.services, fleet.url);
  const failures: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      await http.post('/api/v1/game/start', { questionCount: 1 }).then(
        ({ status, body }) => void (status === 201 || failures.push([status, body])),
        (error) => void failures.push(error),
      );
      answered++;
      await sleep(25);
    }
  })();
  return {
    answered: () => answered,
    /** @returns what each failure was */
    async stop() {
      isOver = true;
      await asking;
      return failures;
    },
  };
}

it('a rolling update fails no request, closes sockets only with 1012, and leaves every game correct', async () => {
  const asking = await keepAsking();
  const idle = await Promise.all(Array.from({ length: 4 }, () => createPlayer(fleet.services, fleet.url)));
  for (const player of idle) await player.connect();
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'update-'));
  const proving = prove({
    transport: 'auto',
    url: fleet.url,
    players: PLAYERS,
    games: PLAYERS / 2,
    durationMs: PLAYED_MS,
    roundMs: 4000,
    everyMs: 1000,
    lateMaxMs: 60_000,
    file: await writeAccounts(fleet.services, folder, PLAYERS),
    signal: new AbortController().signal,
  });
  for (const member of [...fleet.replicas, ...fleet.workers]) {
    const before = asking.answered();
    expect(await member.stop()).toBe(0);
    await member.start();
    await sleep(READY_MS);
    expect(asking.answered()).toBeGreaterThan(before);
  }
  for (const player of idle) expect(await player.whenClosed()).toBe(SERVICE_RESTART);
  const { violations, games, reconnects } = await proving;
  expect(violations).toEqual([]);
  expect(games).toBeGreaterThan(0);
  expect(reconnects).toBeGreaterThan(0);
  expect(await asking.stop()).toEqual([]);
}, 300_000);

it('every replica is killed once in mid-game, while players have streams alone, and every game is correct', async () => {
  const { services, url } = fleet;
  const found: Violation[] = [];
  let isOver = false;
  const playing = Array.from({ length: 4 }, async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, () => createSignedInUser(services)));
    while (!isOver) found.push(...(await playJudged(url, accounts, { rounds: 4, roundMs: 4000 }, 1)));
  });
  try {
    for (const replica of fleet.replicas) {
      await eventually(async () => expect(await services.db.lobby.count({ where: { status: 'running' } })).not.toBe(0));
      await replica.kill();
      await replica.start();
    }
  } finally {
    isOver = true;
    await Promise.all(playing);
  }
  expect(found).toEqual([]);
}, 300_000);
