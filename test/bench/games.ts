// Measures the cost of a thousand playing players: 250 games of four with ten seconds a round, in which three
// of the four answer, so that every round ends by its clock. The service is compared with a bare WebSocket
// server that sends as much, and with bare BullMQ jobs, one for each round.
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { joinLobby } from '../../src/lobby/join-lobby.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import { comparing, type Figure } from './figures.ts';
import { measure } from './meter.ts';
import { openSocket, type PlayerSocket } from './socket.ts';
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

type Load = Awaited<ReturnType<typeof loadOf>>;

export async function measureGames(stage: Stage): Promise<Figure[]> {
  const own = await loadOfGames(stage);
  const floor = await loadOfFloor(stage);
  const figure = (name: string, part: 'api' | 'worker' | 'redis', floorName: string): Figure =>
    comparing(own, floorName, floor)(
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

async function loadOfGames(stage: Stage): Promise<Load[]> {
  const api = await stage.startApi({ ROUND_DURATION_MS: String(ROUND_MS) });
  const worker = await stage.startWorker();
  const sockets: PlayerSocket[] = [];
  try {
    for (const lobby of await openLobbies(stage, { games: GAMES, players: PLAYERS, settings: { rounds: ROUNDS } })) {
      const players = await Promise.all(lobby.cookies.map((cookie) => openSocket(api.url, cookie)));
      for (const player of players) await player.join(lobby.code);
      for (const player of players.slice(1)) answerEveryQuestion(player);
      sockets.push(...players);
    }
    // The starts are spread over the time of a round, so that the load is even.
    await paced(GAMES, ROUND_MS, (game) => sockets[game * PLAYERS]?.send({ type: 'lobby:start' }));
    const loads: Load[] = [];
    while (loads.length < REPETITIONS) loads.push(await loadOf(stage, api, worker, () => sleep(MEASURED_MS)));
    return loads;
  } finally {
    for (const socket of sockets) socket.close();
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Creates lobbies of the same players, who are members and have not entered yet. */
export async function openLobbies(
  { services }: Stage,
  { games, players, settings }: { games: number; players: number; settings: object },
): Promise<{ code: string; cookies: string[] }[]> {
  const users = [];
  for (let count = 0; count < players; count++) users.push(await createSignedInUser(services));
  const [host, ...others] = users;
  const cookies = users.map(({ cookie }) => cookie);
  const request = CreateLobbyRequest.parse({ settings });
  const lobbies = [];
  for (let game = 0; game < games; game++) {
    const { code } = await createLobby(services, host?.id as string, request);
    for (const { id } of others) await joinLobby(services, code, { userId: id, address: '127.0.0.1' });
    lobbies.push({ code, cookies });
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

async function loadOfFloor(stage: Stage): Promise<Load[]> {
  const port = await freePort();
  const front = await stage.startFloor('floor-sockets', String(port));
  const worker = await stage.startFloor('floor-worker', stage.redisUrl, String(GAMES));
  const url = `http://127.0.0.1:${port}`;
  const sockets: PlayerSocket[] = [];
  for (let count = 0; count < GAMES * PLAYERS; count++) sockets.push(await openSocket(url, ''));
  const queue = new Queue('floor', { connection: { url: stage.redisUrl } });
  const rounds = MEASURED_MS / ROUND_MS;
  const loads: Load[] = [];
  while (loads.length < REPETITIONS) {
    const load = await loadOf(stage, front, worker, () => {
      const messages = sockets.length * MESSAGES_A_ROUND * rounds;
      return Promise.all([
        paced(messages, MEASURED_MS, (at) => sockets[at % sockets.length]?.send({})),
        paced(GAMES * rounds, MEASURED_MS, () => {
          const delay = ROUND_MS / 10;
          void queue.add('round', { dueMs: Date.now() + delay }, { delay });
        }),
      ]);
    });
    loads.push(load);
  }
  for (const socket of sockets) socket.close();
  await Promise.all([front.stop(), worker.stop()]);
  await queue.close();
  return loads;
}

const loadOf = (stage: Stage, front: Child, worker: Child, run: () => Promise<unknown>) =>
  measure(stage, { apis: [front], worker }, run);

/** Calls `act` this many times, evenly spread over the time in ms. */
async function paced(times: number, overMs: number, act: (index: number) => void): Promise<void> {
  const startMs = performance.now();
  for (let done = 0; done < times; ) {
    const due = Math.min(times, ((performance.now() - startMs) / overMs) * times);
    while (done < due) act(done++);
    await sleep(10);
  }
}
