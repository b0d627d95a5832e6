// Measures the cost of a thousand playing players: 250 games of four with ten seconds a round, in which three
// of the four answer, so that every round ends by its clock. The service is compared with a bare WebSocket
// server that sends as much, and with bare BullMQ jobs, one for each round.
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { joinLobby } from '../../src/lobby/join-lobby.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { inParallel } from './batches.ts';
import type { Child } from './child.ts';
import { type Cost, comparing, type Figure, inTurns } from './figures.ts';
import { measure } from './meter.ts';
import { enterLobbies, type LobbySeat, openSocket, type PlayerSocket } from './socket.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 3;
const GAMES = 250;
const PLAYERS = 4;
const ROUND_MS = 10_000;
const MEASURED_MS = 20_000;
/** Enough rounds for the warm-up and all repetitions. */
const ROUNDS = 10;
/** A round sends a question and a result. */
const MESSAGES_A_ROUND = 2;

export async function measureGames(stage: Stage): Promise<Figure[]> {
  const own = await loadOfGames(stage);
  const floor = await loadOfFloor(stage);
  const figure = (name: string, part: keyof Cost, floorName: string): Figure =>
    comparing(own, floorName, floor).figure(
      `1,000 players in 250 games, ${name}`,
      '% of a core',
      ({ cost, durationMs }) => (cost[part] * 100) / durationMs,
    );
  return [
    figure('CPU of the API', 'api', 'bare WebSocket server'),
    figure('CPU of the worker', 'worker', 'bare BullMQ jobs'),
    figure('CPU of Redis', 'redis', 'bare BullMQ jobs'),
  ];
}

async function loadOfGames(stage: Stage) {
  const api = await stage.startApi({ ROUND_DURATION_MS: String(ROUND_MS) });
  const worker = await stage.startWorker();
  const sockets: PlayerSocket[] = [];
  try {
    for (const seats of await openLobbies(stage, GAMES, PLAYERS, { rounds: ROUNDS })) {
      const players = await enterLobbies(api.url, seats);
      for (const player of players.slice(1)) answerEveryQuestion(player);
      sockets.push(...players);
    }
    // The starts are spread over the time of a round, so that the load is even.
    await paced(GAMES, ROUND_MS, (game) => sockets[game * PLAYERS]?.send({ type: 'lobby:start' }));
    return await loadsOf(stage, api, worker, () => sleep(MEASURED_MS));
  } finally {
    for (const socket of sockets) socket.close();
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Creates lobbies of the same players, who are members and have not entered yet. */
export async function openLobbies({ services }: Stage, count: number, players: number, settings: object = {}) {
  const users = await inParallel(Array(players), () => createSignedInUser(services));
  const [host, ...others] = users as [TestUser, ...TestUser[]];
  const request = CreateLobbyRequest.parse({ settings });
  const lobbies: LobbySeat[][] = [];
  while (lobbies.length < count) {
    const { code } = await createLobby(services, host.id, request);
    for (const { id } of others) await joinLobby(services, code, { userId: id, address: '127.0.0.1' });
    lobbies.push(users.map(({ cookie }) => ({ code, cookie })));
  }
  return lobbies;
}

function answerEveryQuestion(socket: PlayerSocket): void {
  socket.onMessage((message) => {
    if (message.type !== 'game:question') return;
    const { questionId } = message.question;
    const answer = { type: 'game:answer', questionId, optionId: 1 };
    setTimeout(() => socket.send(answer), Math.random() * (ROUND_MS / 2));
  });
}

async function loadOfFloor(stage: Stage) {
  const front = await stage.startFloor('floor-sockets');
  const worker = await stage.startFloor('floor-worker', String(GAMES));
  const sockets = await inParallel(Array(GAMES * PLAYERS), () => openSocket(front.url, ''));
  const queue = new Queue('floor', { connection: { url: stage.redisUrl } });
  const rounds = MEASURED_MS / ROUND_MS;
  const messages = sockets.length * MESSAGES_A_ROUND * rounds;
  const loads = await loadsOf(stage, front, worker, () =>
    Promise.all([
      paced(messages, MEASURED_MS, (at) => sockets[at % sockets.length]?.send({})),
      paced(GAMES * rounds, MEASURED_MS, () => {
        const delay = ROUND_MS / 10;
        void queue.add('round', { dueMs: Date.now() + delay }, { delay });
      }),
    ]),
  );
  for (const socket of sockets) socket.close();
  await Promise.all([front.stop(), worker.stop()]);
  await queue.close();
  return loads;
}

async function loadsOf(stage: Stage, front: Child, worker: Child, run: () => Promise<unknown>) {
  const [loads] = await inTurns(REPETITIONS, [() => measure(stage, { apis: [front], worker }, run)], 0);
  return loads;
}

/** Calls `act` this many times, evenly spread over the time in ms. */
async function paced(times: number, overMs: number, act: (index: number) => void): Promise<void> {
  const startMs = performance.now();
  for (let done = 0; done < times; ) {
    const due = Math.min(times, ((performance.now() - startMs) / overMs) * times);
    while (done < due) act(done++);
    await sleep(10);
  }
}
