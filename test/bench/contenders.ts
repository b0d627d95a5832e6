// The programs that are compared when games are played over sockets, each with two processes: the service, a
// bare WebSocket server, and Socket.IO.
import { randomUUID } from 'node:crypto';
import { freePort } from '../../src/tools/dev/ports.ts';
import { playJudged } from '../support/oracle.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import type { Child } from './child.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import type { Parts } from './meter.ts';
import { type Field, openRoom, type Room, type Seat } from './players.ts';
import type { Stage } from './stage.ts';
import { FLOOR, OURS, SOCKET_IO } from './wires.ts';

const REPLICAS = 2;
/** The players of the games that the oracle judges after a measurement. */
export const JUDGED_PLAYERS = 3;
/** The number of rooms that fill at the same time. */
const ROOMS_AT_ONCE = 10;

export interface Contender {
  name: string;
  parts: Parts;
  /** Lets players enter the rooms of a field. With the service this includes the requests over HTTP. */
  enter(field: Field): Promise<Room[]>;
  stop(): Promise<void>;
}

/** A player with the replica that the player uses. */
interface User extends TestUser {
  http: HttpConnection;
  url: string;
}

/** @param players the highest number of players in a room */
export async function startOurs(stage: Stage, players: number): Promise<Contender> {
  const apis = await Promise.all(Array.from({ length: REPLICAS }, () => stage.startApi()));
  const worker = await stage.startWorker();
  const urls = apis.map(({ url }) => url);
  const users: User[] = [];
  for (let index = 0; index < players; index++) {
    const user = await createSignedInUser(stage.services);
    const url = urls[index % urls.length] as string;
    users.push({ ...user, url, http: inTurn(await openHttp(url, user.cookie)) });
  }

  async function enterRoom(field: Field): Promise<Room> {
    const { players, rounds } = field;
    const [host, ...others] = users.slice(0, players) as [User, ...User[]];
    const settings = { rounds };
    const made = await host.http.post('/api/v1/lobbies', { capacity: players, settings }, 201);
    const { code } = JSON.parse(made) as { code: string };
    for (const { http } of others) await http.post(`/api/v1/lobbies/${code}/join`, {}, 200);
    const seats = [host, ...others].map(
      ({ url, cookie }): Seat => ({ url, cookie, room: code, user: '', players, rounds }),
    );
    return openRoom(OURS, seats, field);
  }

  return {
    name: 'the service',
    parts: { apis, worker },
    enter: (field) => inRooms(field, () => enterRoom(field)),
    async stop() {
      for (const { http } of users) http.close();
      // Figures of games that go wrong would be worth nothing.
      for (const compact of [false, true]) {
        const violations = await playJudged(urls[0] as string, users.slice(0, JUDGED_PLAYERS), { compact });
        if (violations.length > 0) throw new Error(`Games go wrong: ${JSON.stringify(violations, null, 1)}`);
      }
      await Promise.all([...apis, worker].map((child) => child.stop()));
    },
  };
}

export function startFloor(stage: Stage): Promise<Contender> {
  return startOther(stage, 'bare WebSocket server', 'floor-games', FLOOR);
}

/** Starts the same floor, which also stores the result of each game. */
export function startStoringFloor(stage: Stage): Promise<Contender> {
  return startOther(stage, 'bare server, one INSERT', 'floor-games', FLOOR, stage.databaseUrl);
}

export function startSocketIo(stage: Stage): Promise<Contender> {
  return startOther(stage, 'Socket.IO', 'floor-socketio', SOCKET_IO);
}

async function startOther(
  stage: Stage,
  name: string,
  program: string,
  wire: typeof FLOOR,
  ...args: string[]
): Promise<Contender> {
  const apis: Child[] = [];
  const urls: string[] = [];
  for (let index = 0; index < REPLICAS; index++) {
    const port = await freePort();
    apis.push(await stage.startFloor(program, String(port), stage.redisUrl, ...args));
    urls.push(`http://127.0.0.1:${port}`);
  }

  function enterRoom(field: Field): Promise<Room> {
    const room = randomUUID();
    const { players, rounds } = field;
    const seats = Array.from({ length: players }, (_, index): Seat => {
      const url = urls[index % urls.length] as string;
      return { url, cookie: '', room, user: randomUUID(), players, rounds };
    });
    return openRoom(wire, seats, field);
  }

  return {
    name,
    parts: { apis },
    enter: (field) => inRooms(field, () => enterRoom(field)),
    async stop() {
      await Promise.all(apis.map((child) => child.stop()));
    },
  };
}

/** Serialises the requests of a connection, since several rooms that fill at the same time share it. */
function inTurn({ post, close }: HttpConnection): HttpConnection {
  let last: Promise<unknown> = Promise.resolve();
  return {
    post(...request) {
      const answered = last.then(() => post(...request));
      last = answered;
      return answered;
    },
    close,
  };
}

async function inRooms({ rooms }: Field, open: () => Promise<Room>): Promise<Room[]> {
  const opened: Room[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: ROOMS_AT_ONCE }, async () => {
      while (begun++ < rooms) opened.push(await open());
    }),
  );
  return opened;
}
