// Measures what it costs to create and join lobbies, to connect and enter, and to come back to running games with the last
// event that a player has: to a replica whose rooms stay open, and, after that replica was killed, to one that has none
// of them. [contract 5.9, 16]
import { setTimeout as sleep } from 'node:timers/promises';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { groupsOf, inParallel } from './batches.ts';
import type { Child } from './child.ts';
import { type Cost, comparing, type Figure } from './figures.ts';
import { openHttp } from './http-load.ts';
import { measure } from './meter.ts';
import { untilAdmitted } from './players.ts';
import { type LobbySeat, openSocket, type PlayerSocket } from './socket.ts';
import type { Stage } from './stage.ts';

const GAMES = 500;
const PLAYERS = 8;
const ALL = GAMES * PLAYERS;
/** How many come to the other replica at once: fewer than the kernel queues for a server, since it drops the others. */
const AT_ONCE = 400;
/** No round ends during the bench. */
const ROUND_MS = 300_000;
/** The replica has noticed by then that its players have gone, ms. */
const GONE_MS = 2000;

interface Seat extends LobbySeat {
  socket?: PlayerSocket;
}

/** What some work took for so many players. */
interface Work {
  players: number;
  cost: Cost;
  durationMs: number;
}

export async function measureComebacks(stage: Stage): Promise<Figure[]> {
  const apis = [await stage.startApi(), await stage.startApi()] as const;
  const worker = await stage.startWorker();
  const [killed, other] = apis;
  const running = new Set(apis);
  const users = await inParallel(Array(ALL), () => createSignedInUser(stage.services));

  async function workOf<T>(players: number, work: () => Promise<T>): Promise<Work & { result: T }> {
    return { players, ...(await measure(stage, { apis: [...running], worker }, work)) };
  }

  /** Creates a lobby over HTTP, which the others join, each over a connection of its own. */
  async function gather(party: readonly TestUser[]): Promise<Seat[]> {
    const seats: Seat[] = [];
    for (const { cookie } of party) {
      const http = await openHttp(killed.url, cookie);
      const [first] = seats;
      const reply = await (first
        ? http.post(`/api/v1/lobbies/${first.code}/join`, {}, 200)
        : http.post('/api/v1/lobbies', { settings: { roundMs: ROUND_MS } }, 201));
      http.close();
      seats.push({ code: JSON.parse(reply).code, cookie });
    }
    return seats;
  }

  function enter(seats: readonly Seat[], { url }: Child, atOnce?: number): Promise<Work> {
    const come = async (seat: Seat) => {
      const cursor = seat.socket?.last();
      const socket = await untilAdmitted(() => openSocket(url, seat.cookie));
      await socket.join(seat.code, cursor);
      seat.socket = socket;
    };
    return workOf(seats.length, () => inParallel(seats, come, atOnce));
  }

  const gathered = await workOf(ALL, () => inParallel(groupsOf(PLAYERS, users), gather));
  const games = gathered.result;
  const seats = games.flat();
  const entered = await enter(seats, killed);
  for (const [host] of games) host?.socket?.send({ type: 'lobby:start' });
  await sleep(GONE_MS);
  const cut = games.flatMap(([, ...others]) => others);
  for (const { socket } of cut) socket?.close();
  await sleep(GONE_MS);
  const cutBack = await enter(cut, killed);
  running.delete(killed);
  await killed.stop();
  const moved = await enter(seats, other, AT_ONCE);

  for (const { socket } of seats) socket?.close();
  await Promise.all([other.stop(), worker.stop()]);
  return [
    ...partsOf('to create or join a lobby', gathered),
    ...partsOf('to connect and enter a waiting lobby', entered),
    ...partsOf('to come back to a replica that has the room', cutBack),
    ...partsOf(`${ALL} players of a killed replica, each`, moved),
    { name: 'until all of them are back', unit: 's', values: [moved.durationMs / 1000] },
  ];
}

const partsOf = (what: string, work: Work) =>
  comparing([work]).costs(what, 'µs', ({ cost, players }) => [cost, players]);
