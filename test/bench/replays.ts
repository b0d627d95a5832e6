// Measures what it takes when two hundred sockets of a room of a thousand come back to one replica at once, after
// twenty rounds that they have missed: the memory of the replica, and how late the results of other lobbies on it
// are meanwhile. [contract 19]
import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocket from 'ws';
import { groupsOf } from './batches.ts';
import type { Child } from './child.ts';
import { startCrowd } from './contenders.ts';
import { type Cost, comparing, type Figure, IN_ALL, inTurns } from './figures.ts';
import { measure, residentBytes } from './meter.ts';
import { type Field, REFUSED_PAUSE_MS, type Room } from './players.ts';
import { openWebSocket } from './socket.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
const RETURNING = 200;
const LARGE: Field = { rooms: 1, players: 1000, rounds: 20, thinkMs: [0, 500], atOnce: true };
const OTHERS: Field = { rooms: 20, players: 8, rounds: 50, thinkMs: [400, 1200], atOnce: true };
/** For how long the other lobbies play before each return, for comparison, ms. */
const BEFORE_MS = 3000;
/** For how long after a return their results still count, which may have waited for it, ms. */
const AFTER_MS = 250;
const SAMPLE_MS = 10;

/** What is noticed while something happens. */
interface Seen {
  peakBytes: number;
  /** From the last answer of a round of the other lobbies to each result, ms. */
  lateMs: number[];
}

interface Return {
  before: Seen;
  meanwhile: Seen;
  durationMs: number;
  cost: Cost;
}

export async function measureReplays(stage: Stage): Promise<Figure[]> {
  const crowd = await startCrowd(stage, LARGE.players);
  const [replica] = crowd.apis as [Child];
  const room = await crowd.enterRoom(crowd.members, LARGE);
  await room.play();
  const neighbours = crowd.members.filter(({ url }) => url === replica.url);
  const parties = groupsOf(OTHERS.players, neighbours).slice(0, OTHERS.rooms);
  const others = await Promise.all(parties.map((party) => crowd.enterRoom(party, OTHERS)));
  const played = Promise.all(others.map((other) => other.play()));
  const returning = neighbours.slice(-RETURNING);
  const comeBackOnce = async (): Promise<Return> => {
    const before = await watch(replica, others, () => sleep(BEFORE_MS));
    const sockets = await Promise.all(returning.map(({ cookie }) => openWebSocket(replica.url, cookie)));
    const meanwhile = await watch(replica, others, async () => {
      const back = await measure(stage, crowd.parts, () =>
        Promise.all(sockets.map((socket) => comeBack(socket, room.code))),
      );
      await sleep(AFTER_MS);
      return back;
    });
    for (const socket of sockets) socket.terminate();
    return { before, meanwhile, ...meanwhile.result };
  };
  const [returns] = await inTurns(REPETITIONS, [comeBackOnce]);
  await played;
  for (const each of [room, ...others]) each.close();
  await crowd.stop();
  return figuresOf(returns);
}

/** Resolves when a client that has seen no event of its lobby has got them all, up to the end of the game. */
function comeBack(socket: WebSocket, code: string): Promise<void> {
  const join = () => socket.send(JSON.stringify({ type: 'lobby:join', code, since: 0 }));
  join();
  return new Promise((resolve, reject) => {
    socket.on('close', () => reject(new Error('A socket that came back was closed.')));
    socket.on('message', (data: Buffer) => {
      if (data.includes('"type":"game:finished"')) resolve();
      // The service refuses a join while it is overloaded.
      if (data.includes('"type":"error"')) setTimeout(join, REFUSED_PAUSE_MS);
    });
  });
}

/** Runs `act`. @returns its result, and what the replica and the other lobbies notice of it */
async function watch<T>(replica: Child, others: readonly Room[], act: () => Promise<T>): Promise<Seen & { result: T }> {
  const known = others.map(({ played }) => played.lateMs.length);
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(replica.pid));
  }, SAMPLE_MS);
  const result = await act();
  clearInterval(sampling);
  const lateMs = others.flatMap(({ played }, at) => played.lateMs.slice(known[at]));
  return { peakBytes, lateMs, result };
}

function figuresOf(returns: readonly Return[]): Figure[] {
  const back = comparing(returns);
  const late = comparing(
    returns.map(({ meanwhile }) => meanwhile),
    'before that',
    returns.map(({ before }) => before),
  );
  const figures = [
    back.figure('until all have the last event', 'ms', ({ durationMs }) => durationMs),
    ...back.costs('each', 'ms', ({ cost }) => [cost, RETURNING], [IN_ALL]),
    back.figure('memory of the replica', 'MB more', (each) => (each.meanwhile.peakBytes - each.before.peakBytes) / 1e6),
    ...late.quantiles('last answer to result of others', ({ lateMs }) => lateMs),
  ];
  return figures.map((each) => ({ ...each, name: `200 sockets that come back: ${each.name}` }));
}
