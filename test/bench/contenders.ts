// The programs that are compared when games are played over sockets, each with two processes: the service, a
// bare WebSocket server, and Socket.IO.
import { randomUUID } from 'node:crypto';
import { playJudged } from '../support/oracle.ts';
import { inParallel } from './batches.ts';
import type { Child } from './child.ts';
import { type Member, startCrowd } from './crowd.ts';
import type { Parts } from './meter.ts';
import { type Field, FLOOR, openRoom, type Room, type Seat, SOCKET_IO } from './players.ts';
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
    enter: (field) => inRooms(field, () => enterRoom(members.slice(0, field.players), field)),
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

const FLOORS = {
  'bare WebSocket server': { program: 'floor-games', wire: FLOOR, args: [] },
  /** It also stores the result of each game. */
  'bare server, one INSERT': { program: 'floor-games', wire: FLOOR, args: ['storing'] },
  'Socket.IO': { program: 'floor-socketio', wire: SOCKET_IO, args: [] },
};

export async function startFloor(stage: Stage, name: keyof typeof FLOORS): Promise<Contender> {
  const { program, wire, args } = FLOORS[name];
  const apis: Child[] = [];
  while (apis.length < REPLICAS) apis.push(await stage.startFloor(program, ...args));
  return {
    name,
    parts: { apis },
    enter: (field) =>
      inRooms(field, () => {
        const room = { room: randomUUID(), players: field.players, rounds: field.rounds };
        const seats = Array.from({ length: field.players }, (_, index): Seat => {
          const { url } = apis[index % REPLICAS] as Child;
          return { ...room, url, cookie: '', user: randomUUID() };
        });
        return openRoom(wire, seats, field);
      }),
    async stop() {
      await Promise.all(apis.map((child) => child.stop()));
    },
  };
}

const inRooms = ({ rooms }: Field, open: () => Promise<Room>) => inParallel(Array(rooms), open, ROOMS_AT_ONCE);
