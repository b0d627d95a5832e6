// Measures the memory of an open socket in a lobby, and the CPU of idle sockets, compared with a bare
// WebSocket server.
import { freePort } from '../../src/tools/dev/ports.ts';
import type { Child } from './child.ts';
import type { Figure } from './figures.ts';
import { openLobbies } from './games.ts';
import { joinLobbyRoom, openSocket, type TimedSocket } from './socket.ts';
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
  const own: Cost[] = [];
  const floor: Cost[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const api = await stage.startApi();
    own.push(await cost(api, api.url, places));
    const port = await freePort();
    const bare = await stage.startFloor('floor-sockets', String(port));
    floor.push(await cost(bare, `http://127.0.0.1:${port}`, places));
  }
  const figure = (name: string, unit: string, part: keyof Cost): Figure => ({
    name,
    unit,
    values: own.map((measured) => measured[part]),
    floor: { name: 'bare WebSocket server', values: floor.map((measured) => measured[part]) },
  });
  return [
    figure('an open socket, memory in use', 'KB', 'usedKb'),
    figure('an open socket, resident memory', 'KB', 'residentKb'),
    figure('2,000 idle sockets in 250 lobbies, CPU', '% of a core', 'idleShare'),
  ];
}

async function cost(child: Child, url: string, places: Place[]): Promise<Cost> {
  const sockets = await join(url, places.slice(0, FIRST_SOCKETS));
  const before = await child.memory();
  sockets.push(...(await join(url, places.slice(FIRST_SOCKETS))));
  await idle();
  const open = await child.memory();
  const cpuBeforeMs = await child.cpuMs();
  await idle();
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

async function join(url: string, places: Place[]): Promise<TimedSocket[]> {
  const sockets: TimedSocket[] = [];
  for (const { code, cookie } of places) {
    const socket = await openSocket(url, cookie);
    await joinLobbyRoom(socket, code);
    sockets.push(socket);
  }
  return sockets;
}

const idle = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS));
