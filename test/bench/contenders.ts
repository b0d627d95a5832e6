// The programs that are compared when games are played over sockets, each with two processes: the service with a crowd
// of players, each a user of its own; a bare WebSocket server; and Socket.IO.
import { randomUUID } from 'node:crypto';
import { createClient } from '../../src/client/index.ts';
import { playJudged } from '../support/oracle.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { groupsOf, inParallel } from './batches.ts';
import type { Child } from './child.ts';
import type { Parts } from './meter.ts';
import { type Field, FLOOR, OURS, openRoom, type Room, type Seat, SOCKET_IO, untilAdmitted } from './players.ts';
import type { Stage } from './stage.ts';

const REPLICAS = 2;
/** The players of the games that the oracle judges after a measurement. */
export const JUDGED_PLAYERS = 3;
/** The number of rooms that fill at the same time. */
const ROOMS_AT_ONCE = 10;
/** On a busy machine the last answer may take long; the clock must not end a round before, ms. */
const ROUND_MS = 60_000;

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

/** A user and the replica that the user's client connects to. */
export interface Member extends TestUser {
  url: string;
}

export type Crowd = Awaited<ReturnType<typeof startCrowd>>;

/** Starts two replicas and a worker, and signs the users in, whose names have twenty letters. */
export async function startCrowd(stage: Stage, players: number) {
  const env = { ROUND_DURATION_MS: String(ROUND_MS) };
  const apis = [await stage.startApi(env), await stage.startApi(env)];
  const worker = await stage.startWorker();
  const members = await inParallel(Array(players).keys(), async (index): Promise<Member> => {
    const name = `Player ${String(index).padStart(13, '0')}`;
    const user = await createSignedInUser(stage.services, { name });
    return { ...user, url: apis[index % apis.length]?.url as string };
  });
  return {
    name: 'the service',
    apis,
    parts: { apis, worker },
    /** Half of them on each of the two replicas, in turn. */
    members,
    enterRoom,
    /** Lets all members enter, each one room, all at the same time. */
    async enter(field: Field): Promise<Room[]> {
      const parties = groupsOf(field.players, members).slice(0, field.rooms);
      return Promise.all(parties.map((party) => enterRoom(party, { ...field, atOnce: true })));
    },
    async stop() {
      await Promise.all([...apis, worker].map((child) => child.stop()));
    },
  };
}

/** Lets members enter a new room; the first one is its host. */
async function enterRoom(members: readonly Member[], field: Field): Promise<Room> {
  const [host, ...others] = members as [Member, ...Member[]];
  const clientOf = ({ url, cookie }: Member) => createClient({ baseUrl: url, cookie });
  const request = { capacity: members.length, settings: { rounds: field.rounds } };
  const { code } = await untilAdmitted(() => clientOf(host).createLobby(request));
  await Promise.all(others.map((each) => untilAdmitted(() => clientOf(each).joinLobby(code))));
  const seats = members.map((each): Seat => ({ ...each, room: code, user: '', ...field }));
  return openRoom(OURS, seats, field);
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
