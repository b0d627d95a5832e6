// The programs that are compared when games are played over sockets, each with two processes: the service, a
// bare WebSocket server, and Socket.IO.
import { randomUUID } from 'node:crypto';
import { freePort } from '../../src/tools/dev/ports.ts';
import { playJudged } from '../support/oracle.ts';
import type { Child } from './child.ts';
import { type Member, startCrowd } from './crowd.ts';
import type { Parts } from './meter.ts';
import { type Field, FLOOR, openRoom, type Room, type Seat, SOCKET_IO } from './players.ts';
import { inParallel } from './running-games.ts';
import type { Stage } from './stage.ts';

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

/**
 * Starts the service with two replicas and a worker.
 * @param players the highest number of players in a room; the same are in all rooms
 */
export async function startOurs(stage: Stage, players: number): Promise<Contender> {
  const { members, enterRoom, ...crowd } = await startCrowd(stage, players);
  return {
    ...crowd,
    enter: (field) => inRooms(field, async () => (await enterRoom(members.slice(0, field.players), field)).room),
    async stop() {
      // Figures of games that go wrong would be worth nothing.
      for (const compact of [false, true]) {
        const [{ url }] = members as [Member];
        const violations = await playJudged(url, members.slice(0, JUDGED_PLAYERS), { compact });
        if (violations.length > 0) throw new Error(`Games go wrong: ${JSON.stringify(violations, null, 1)}`);
      }
      await crowd.stop();
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

async function inRooms({ rooms }: Field, open: () => Promise<Room>): Promise<Room[]> {
  const opened: Room[] = [];
  await inParallel(Array.from({ length: rooms }), async () => void opened.push(await open()), ROOMS_AT_ONCE);
  return opened;
}
