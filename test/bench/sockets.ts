// Measures the memory of an open socket in a lobby, and the CPU of idle sockets, compared with a bare WebSocket server.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/tools/dev/ports.ts';
import type { Child } from './child.ts';
import { comparing, type Figure, inTurns } from './figures.ts';
import { openLobbies } from './games.ts';
import { openSocket, type PlayerSocket } from './socket.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 3;
const LOBBIES = 250;
const PLAYERS = 8;
const SOCKETS = LOBBIES * PLAYERS;
/** The first sockets are not measured, since code is compiled for them. */
const FIRST_SOCKETS = SOCKETS / 2;
const IDLE_MS = 5000;

/** A socket's lobby and user. */
interface Place {
  code: string;
  cookie: string;
}

interface Cost {
  usedKb: number;
  residentKb: number;
  /** Percent of one core, for all idle sockets. */
  idleShare: number;
}

export async function measureSockets(stage: Stage): Promise<Figure[]> {
  const lobbies = await openLobbies(stage, { games: LOBBIES, players: PLAYERS, settings: {} });
  const places = lobbies.flatMap(({ code, cookies }) => cookies.map((cookie) => ({ code, cookie })));
  const ofService = async () => {
    const api = await stage.startApi();
    return cost(api, api.url, places);
  };
  const ofFloor = async () => {
    const port = await freePort();
    return cost(await stage.startFloor('floor-sockets', String(port)), `http://127.0.0.1:${port}`, places);
  };
  const [own, floor] = await inTurns(REPETITIONS, [ofService, ofFloor], 0);
  const figure = comparing(own, 'bare WebSocket server', floor);
  return [
    figure('an open socket, memory in use', 'KB', ({ usedKb }) => usedKb),
    figure('an open socket, resident memory', 'KB', ({ residentKb }) => residentKb),
    figure('2,000 idle sockets in 250 lobbies, CPU', '% of a core', ({ idleShare }) => idleShare),
  ];
}

async function cost(child: Child, url: string, places: Place[]): Promise<Cost> {
  const sockets = await join(url, places.slice(0, FIRST_SOCKETS));
  const before = await child.memory();
  sockets.push(...(await join(url, places.slice(FIRST_SOCKETS))));
  await sleep(IDLE_MS);
  const open = await child.memory();
  const cpuBeforeMs = await child.cpuMs();
  await sleep(IDLE_MS);
  const idleCpuMs = (await child.cpuMs()) - cpuBeforeMs;
  for (const socket of sockets) socket.close();
  await child.stop();
  const perSocketKb = (bytes: number) => bytes / 1024 / (SOCKETS - FIRST_SOCKETS);
  return {
    usedKb: perSocketKb(open.usedBytes - before.usedBytes),
    residentKb: perSocketKb(open.residentBytes - before.residentBytes),
    idleShare: (idleCpuMs / IDLE_MS) * 100,
  };
}

async function join(url: string, places: Place[]): Promise<PlayerSocket[]> {
  const sockets: PlayerSocket[] = [];
  for (const { code, cookie } of places) {
    const socket = await openSocket(url, cookie);
    await socket.join(code);
    sockets.push(socket);
  }
  return sockets;
}
