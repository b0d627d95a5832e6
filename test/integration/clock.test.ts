// One clock a game, from just before its start to just after its end: without any replica, a game goes
// on and ends by its clock alone. [contract 5.3, 5.5, 5.7]
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Job } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { joinLobby } from '../../src/lobby/join-lobby.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { saveResult } from '../../src/match/results.ts';
import { type Match, openQuestion, resultOf } from '../../src/match/rules.ts';
import { type StartDeps, startMatch } from '../../src/match/start-match.ts';
import { read, readHead } from '../../src/match/store.ts';
import { submitAnswer } from '../../src/match/submit-answer.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { lookAt } from '../../src/platform/queue-look.ts';
import { createServices, type Services } from '../../src/services.ts';
import { seal } from '../../src/vocabulary/draw-questions.ts';
import { type Consumer, openJobSource } from '../../worker/consume.ts';
import { serveClocks } from '../../worker/serve-clocks.ts';
import { sweepClocks } from '../../worker/sweep-clocks.ts';
import { removeClocks } from '../support/clocks.ts';
import { eventually } from '../support/eventually.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { type Gate, gatedDatabase, gatedRedis, startProcess } from '../support/storm/stepper.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const ROUND_MS = 400;

let stores: TestStores;
let postgres: TcpProxy;
let services: Services;
let hostId: string;
let guestId: string;
const workers: Consumer[] = [];

beforeAll(async () => {
  stores = await startStores();
  const databaseUrl = new URL(stores.databaseUrl);
  postgres = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
  databaseUrl.port = String(postgres.port);
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: join(inject('temporaryFolder'), 'clock'),
    DATABASE_URL: databaseUrl.href,
    REDIS_URL: stores.redisUrl,
    LOG_LEVEL: 'silent',
  });
  services = createServices(config, createLogger(config.logLevel, 'test'));
  const add = async (name: string) =>
    (await services.db.user.create({ data: { name, email: `${name}@example.com` } })).id;
  [hostId, guestId] = [await add('Ada'), await add('Ben')];
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});

afterAll(async () => {
  await services.stop();
  await postgres.stop();
  await stores.stop();
});

/** From here on clocks that are due fire. */
function startWorker(): void {
  const source = openJobSource(services);
  workers.push(serveClocks(services, source), source);
}

function startDeps(): StartDeps {
  return {
    ...services,
    drawQuestions: async (_, count) =>
      Array.from({ length: count }, (_, index) =>
        seal({
          correctOptionId: 0,
          question: {
            questionId: randomUUID(),
            prompt: `word ${index}`,
            options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: `parola ${optionId}` })),
          },
        }),
      ),
  };
}

/** A waiting lobby of two rounds with both players connected. */
async function gather(roundDurationMs = ROUND_MS): Promise<string> {
  const request = CreateLobbyRequest.parse({ settings: { rounds: 2 } });
  const deps = { ...services, roundDurationMs };
  const { lobbyId, code } = await createLobby(deps, hostId, request);
  await joinLobby(services, code, guestId);
  const sockets = [hostId, guestId].map((userId) => ({ userId, socketId: `of-${userId}` }));
  await updatePresence(services, lobbyId, 'add', sockets);
  return lobbyId;
}

/** Starts a game as a replica that dies after so many steps. */
async function startAndDie(lobbyId: string, isLast: (command: string) => boolean): Promise<void> {
  const { clock, db, redis } = services;
  const gated = (gate: Gate): StartDeps => ({
    ...startDeps(),
    db: gatedDatabase(db, gate),
    redis: gatedRedis(redis, gate),
    clock: { ...clock, wind: (plan) => gate('clock wind', () => clock.wind(plan)) },
  });
  const replica = await startProcess((gate) => startMatch(gated(gate), lobbyId, hostId));
  for (;;) {
    const command = replica.next() as string;
    await replica.step(isLast(command) ? 'died after' : 'done');
    if (isLast(command)) return;
  }
}

/** Does something as a process on a machine whose time is wrong. */
async function tenMinutesAhead(act: () => Promise<unknown>): Promise<void> {
  const now = Date.now.bind(Date);
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  await act().finally(() => ahead.mockRestore());
}

const lobbyOf = (lobbyId: string) => services.db.lobby.findUnique({ where: { id: lobbyId } });
const gamesOf = async (lobbyId: string) => {
  const { code } = (await lobbyOf(lobbyId)) as { code: string };
  return services.db.game.findMany({ where: { code }, include: { scores: true } });
};
const eventsOf = async (lobbyId: string) =>
  (await readWholeLog(services.redis, lobbyId))
    .filter(({ type }) => type.startsWith('game:'))
    .map(({ type, round, reason }) => [type, round, reason].filter(Boolean).join(' '));

/** How many clocks there are, wherever. */
async function clocks(): Promise<number> {
  const states = await lookAt(services.redis, await services.clock.places());
  return [...states.values()]
    .map(({ active, delayed, failed, waiting }) => active + delayed + failed + waiting)
    .reduce((sum, count) => sum + count);
}

async function expectEnd(lobbyId: string): Promise<void> {
  await eventually(async () => {
    expect((await readHead(services.redis, lobbyId))?.status).toBe('finished');
  });
  const games = await gamesOf(lobbyId);
  expect(games).toHaveLength(1);
  expect(games[0]?.scores).toHaveLength(2);
  expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'finished', gameId: games[0]?.id });
  await expectNoClock();
}

/** A clock that has nothing more to do is gone, its id free again. */
const expectNoClock = () => eventually(async () => expect(await clocks()).toBe(0));

const TWO_TIMEOUTS = [
  ...['game:question 1', 'game:answer_result 1 timeout'],
  ...['game:question 2', 'game:answer_result 2 timeout'],
  'game:finished',
];

describe('a running game', () => {
  it('has exactly one clock, which bears its id', async () => {
    const lobbyId = await gather();
    await startMatch(startDeps(), lobbyId, hostId);
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    expect(await clocks()).toBe(1);
    expect(await services.clock.find(gameId)).toMatchObject({ id: gameId });
    startWorker();
    await expectEnd(lobbyId);
  });

  it('takes its plan off its clock as soon as it runs', async () => {
    const lobbyId = await gather(3000);
    await startMatch(startDeps(), lobbyId, hostId);
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    const planOf = async () => (await services.clock.find(gameId))?.data.plan;
    expect(await planOf()).toMatchObject({ gameId });
    startWorker();
    await eventually(async () => expect(await planOf()).toBeNull());
    await expectEnd(lobbyId);
  });

  it('goes on by its clock alone, round after round, and is stored', async () => {
    const lobbyId = await gather();
    await startMatch(startDeps(), lobbyId, hostId);
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('whose round ends early gets all the time of the next one', async () => {
    const roundMs = 5000;
    const lobbyId = await gather(roundMs);
    await startMatch(startDeps(), lobbyId, hostId);
    startWorker();
    const match = (await read(services.redis, lobbyId)) as Match;
    const { questionId } = openQuestion(match).question;
    for (const userId of [hostId, guestId]) {
      const answer = { userId, questionId, optionId: 0, token: userId };
      await submitAnswer(services, lobbyId, answer);
    }
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(
      TWO_TIMEOUTS.with(1, 'game:answer_result 1 all_answered'),
    );
    const log = await readWholeLog(services.redis, lobbyId);
    const [opened, closed] = log.filter(({ round }) => round === 2).map(({ atMs }) => atMs);
    expect((closed as number) - (opened as number)).toBeGreaterThanOrEqual(roundMs);
  });
});

describe('a replica that dies in the middle of a start', () => {
  it('before it could mark the lobby running: the clock ends, and the lobby waits for a new start', async () => {
    const lobbyId = await gather();
    await startAndDie(lobbyId, (command) => command === 'clock wind');
    expect(await clocks()).toBe(1);
    startWorker();
    await expectNoClock();
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'waiting', gameId: null });
    expect(await eventsOf(lobbyId)).toEqual([]);
    await startMatch(startDeps(), lobbyId, hostId);
    await expectEnd(lobbyId);
  });

  it('before it could open the game: the clock opens it', async () => {
    const lobbyId = await gather();
    await startAndDie(lobbyId, (command) => command === 'sql $executeRaw');
    expect(await readHead(services.redis, lobbyId)).toBeNull();
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('whose own clock is ten minutes ahead: the clock opens the game all the same', async () => {
    const lobbyId = await gather();
    await tenMinutesAhead(() => startAndDie(lobbyId, (command) => command === 'sql $executeRaw'));
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('after it has opened the game: the clock opens no second one', async () => {
    const lobbyId = await gather();
    await startAndDie(lobbyId, (command) => command === 'redis evalsha start-match');
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });
});

it('of many starts one wins; the clocks of the others end', async () => {
  const lobbyId = await gather();
  const starts = Array.from({ length: 8 }, () => startMatch(startDeps(), lobbyId, hostId));
  const ended = await Promise.allSettled(starts);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await clocks()).toBeGreaterThanOrEqual(1);
  startWorker();
  await expectEnd(lobbyId);
  expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
});

it('while PostgreSQL is down the end waits in Redis; the clock finishes it when it is back', async () => {
  const lobbyId = await gather();
  await startMatch(startDeps(), lobbyId, hostId);
  await postgres.block();
  startWorker();
  await eventually(async () => {
    expect((await readHead(services.redis, lobbyId))?.status).toBe('finishing');
  });
  expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS.slice(0, -1));
  await postgres.unblock();
  await expectEnd(lobbyId);
  expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
});

it('a game that Redis has turned back behind its end ends as it is stored', async () => {
  const lobbyId = await gather();
  await startMatch(startDeps(), lobbyId, hostId);
  const match = (await read(services.redis, lobbyId)) as Match;
  const { scores, ...rest } = resultOf({ ...match, finishedAtMs: match.deadlineMs });
  const winnerIds = [hostId];
  const first = { ...rest, winnerIds, scores: scores.map((of) => ({ ...of, score: 7 })) };
  await saveResult(services.db, match, first, []);
  startWorker();
  await expectEnd(lobbyId);
  expect((await readWholeLog(services.redis, lobbyId)).at(-1)).toMatchObject({
    ...{ type: 'game:finished', winnerIds },
    scores: first.scores.map(({ userId, name, score }) => ({ userId, name, score })),
  });
});

describe('the sweep of clocks', () => {
  it('winds a new clock for a game that has lost its own, once, and the game ends', async () => {
    const lobbyId = await gather();
    await startMatch(startDeps(), lobbyId, hostId);
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    await (await services.clock.find(gameId))?.remove();
    await Promise.all([sweepClocks(services), sweepClocks(services)]);
    await sweepClocks(services);
    expect(await clocks()).toBe(1);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'running', gameId });
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it.each<[string, (clock: Job) => Promise<unknown>]>([
    [
      'whose clock nobody would find',
      ({ id, queueQualifiedName: queue }) => services.redis.zrem(`${queue}:delayed`, id as string),
    ],
    [
      'of whose clock nothing is left but when it is due',
      ({ id, queueQualifiedName: queue }) => services.redis.del(`${queue}:${id}`),
    ],
  ])('winds a new clock for a game %s', async (_what, lose) => {
    const lobbyId = await gather();
    await startMatch(startDeps(), lobbyId, hostId);
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    await lose((await services.clock.find(gameId)) as Job);
    await Promise.all([sweepClocks(services), sweepClocks(services)]);
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('opens a game with what is left of a clock that nobody would find', async () => {
    const lobbyId = await gather();
    await startAndDie(lobbyId, (command) => command === 'sql $executeRaw');
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    const { queueQualifiedName } = (await services.clock.find(gameId)) as Job;
    await services.redis.zrem(`${queueQualifiedName}:delayed`, gameId);
    await sweepClocks(services);
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('of a worker whose own clock is ten minutes ahead winds one that strikes now', async () => {
    const lobbyId = await gather(2000);
    await startMatch(startDeps(), lobbyId, hostId);
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    startWorker();
    const clock = () => services.clock.find(gameId);
    // It is put off by now, and nobody asks for anything before it is due.
    await eventually(async () => expect((await clock())?.data.plan).toBeNull());
    await eventually(async () => expect(await (await clock())?.getState()).toBe('delayed'));
    await (await clock())?.remove();
    await tenMinutesAhead(() => sweepClocks(services));
    await expectEnd(lobbyId);
  });

  it('leaves a clock alone that can still start its game', async () => {
    const lobbyId = await gather();
    await startAndDie(lobbyId, (command) => command === 'sql $executeRaw');
    await services.db.lobby.update({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
    await sweepClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'running' });
    startWorker();
    await expectEnd(lobbyId);
  });

  it('gives a lobby whose game is lost back to its players, but not while it may still be opened', async () => {
    const lobbyId = await gather();
    await startAndDie(lobbyId, (command) => command === 'sql $executeRaw');
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    await (await services.clock.find(gameId))?.remove();
    await sweepClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'running', gameId });
    // The clock that it wound finds no game and ends; some time later the next sweep comes.
    startWorker();
    await expectNoClock();
    await services.db.lobby.update({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
    await sweepClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'waiting', gameId: null });
    const log = await readWholeLog(services.redis, lobbyId);
    expect(log.at(-1)).toMatchObject({ type: 'lobby:state', lobby: { status: 'waiting' } });
    await startMatch(startDeps(), lobbyId, hostId);
    await expectEnd(lobbyId);
  });

  it('winds in vain for a game that has just finished: that clock ends too', async () => {
    const lobbyId = await gather();
    await startMatch(startDeps(), lobbyId, hostId);
    const { gameId } = (await lobbyOf(lobbyId)) as { gameId: string };
    startWorker();
    await expectEnd(lobbyId);
    expect(await services.clock.rewind({ lobbyId, gameId })).toBe(true);
    await expectNoClock();
    expect(await gamesOf(lobbyId)).toHaveLength(1);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('sees all running lobbies in turn, however many, each time a bounded part', async () => {
    const settings = { rounds: 1 };
    const many = 4503;
    const startMs = Date.now() + 60_000;
    const lobbies = Array.from({ length: many }, (_, index) => ({
      code: `S${String(index).padStart(5, '0')}`,
      ...{ hostId, capacity: 8, playerCount: 1, settings },
      ...{ status: 'running' as const, gameId: randomUUID() },
      // Many at the same moment, and none so long ago that it could be given up.
      activeAt: new Date(startMs + Math.floor(index / 1500)),
    }));
    await services.db.lobby.createMany({ data: lobbies });
    const wound: number[] = [];
    for (let sweep = 1; sweep <= 3; sweep++) {
      await sweepClocks(services);
      wound.push(await clocks());
    }
    expect(wound).toEqual([2000, 4000, many]);
    // From the beginning again.
    await (await services.clock.find(lobbies[0]?.gameId as string))?.remove();
    await eventually(async () => {
      await sweepClocks(services);
      expect(await clocks()).toBe(many);
    });
    await services.db.lobby.deleteMany({ where: { code: { startsWith: 'S' } } });
    await removeClocks(services);
  });
});
