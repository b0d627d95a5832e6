// A crowd of players, each a user of its own, who come to the service all at the same time.
import { createClient } from '../../src/client/index.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { groupsOf, inParallel } from './batches.ts';
import { type Field, OURS, openRoom, type Room, type Seat, untilAdmitted } from './players.ts';
import type { Stage } from './stage.ts';

/** On a busy machine the last answer may take long; the clock must not end a round before, ms. */
const ROUND_MS = 60_000;

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
