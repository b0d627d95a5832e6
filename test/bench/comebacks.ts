// Measures what it costs to create and join lobbies, to connect and enter, and to come back to running games with the last
// event that a player has: to a replica whose rooms stay open, and, after that replica was killed, to one that has none
// of them. [contract 5.9, 16]
import { setTimeout as sleep } from 'node:timers/promises';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { groupsOf, inParallel } from './batches.ts';
import type { Child } from './child.ts';
import { comparing, type Figure } from './figures.ts';
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

export async function measureComebacks(stage: Stage): Promise<Figure[]> {
  const apis = [await stage.startApi(), await stage.startApi()] as const;
  const worker = await stage.startWorker();
  const [killed, other] = apis;
  const running = new Set(apis);
  const users = await inParallel(Array(ALL), () => createSignedInUser(stage.services));

  const figures: Figure[] = [];

  /** Adds the figures of some work for so many players. */
  async function measured<T>(what: string, players: number, work: () => Promise<T>) {
    const done = await measure(stage, { apis: [...running], worker }, work);
    figures.push(...comparing([done]).costs(what, 'µs', ({ cost }) => [cost, players]));
    return done;
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

  function enter(what: string, seats: readonly Seat[], { url }: Child, atOnce?: number) {
    const come = async (seat: Seat) => {
      const cursor = seat.socket?.last();
      const socket = await untilAdmitted(() => openSocket(url, seat.cookie));
      await socket.join(seat.code, cursor);
      seat.socket = socket;
    };
    return measured(what, seats.length, () => inParallel(seats, come, atOnce));
  }

  const parties = groupsOf(PLAYERS, users);
  const { result: games } = await measured('to create or join a lobby', ALL, () => inParallel(parties, gather));
  const seats = games.flat();
  await enter('to connect and enter a waiting lobby', seats, killed);
  for (const [host] of games) host?.socket?.send({ type: 'lobby:start' });
  await sleep(GONE_MS);
  const cut = games.flatMap(([, ...others]) => others);
  for (const { socket } of cut) socket?.close();
  await sleep(GONE_MS);
  await enter('to come back to a replica that has the room', cut, killed);
  running.delete(killed);
  await killed.stop();
  const { durationMs } = await enter(`${ALL} players of a killed replica, each`, seats, other, AT_ONCE);

  for (const { socket } of seats) socket?.close();
  await Promise.all([other.stop(), worker.stop()]);
  return [...figures, { name: 'until all of them are back', unit: 's', values: [durationMs / 1000] }];
}
