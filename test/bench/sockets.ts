// Measures the memory of an open socket in a lobby, and the CPU of idle sockets, compared with a bare WebSocket server.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';
import { comparing, type Figure, inTurns } from './figures.ts';
import { openLobbies } from './games.ts';
import { enterLobbies, type LobbySeat } from './socket.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 3;
const LOBBIES = 250;
const PLAYERS = 8;
const SOCKETS = LOBBIES * PLAYERS;
/** The first sockets are not measured, since code is compiled for them. */
const FIRST_SOCKETS = SOCKETS / 2;
const IDLE_MS = 5000;

interface Cost {
  usedKb: number;
  residentKb: number;
  /** Percent of one core, for all idle sockets. */
  idleShare: number;
}

export async function measureSockets(stage: Stage): Promise<Figure[]> {
  const seats = (await openLobbies(stage, LOBBIES, PLAYERS)).flat();
  const ofService = async () => cost(await stage.startApi(), seats);
  const ofFloor = async () => cost(await stage.startFloor('floor-sockets'), seats);
  const [own, floor] = await inTurns(REPETITIONS, [ofService, ofFloor], 0);
  const { figure } = comparing(own, 'bare WebSocket server', floor);
  return [
    figure('an open socket, memory in use', 'KB', ({ usedKb }) => usedKb),
    figure('an open socket, resident memory', 'KB', ({ residentKb }) => residentKb),
    figure('2,000 idle sockets in 250 lobbies, CPU', '% of a core', ({ idleShare }) => idleShare),
  ];
}

async function cost(child: Child, seats: readonly LobbySeat[]): Promise<Cost> {
  const sockets = await enterLobbies(child.url, seats.slice(0, FIRST_SOCKETS));
  const before = await child.memory();
  sockets.push(...(await enterLobbies(child.url, seats.slice(FIRST_SOCKETS))));
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
