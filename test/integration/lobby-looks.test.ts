// What an idle lobby costs Redis: its replicas look at all of theirs at once, and only what is not as
// it should be gets commands of its own. [contract 5.1, 5.9, 16]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { announceLobby } from '../../src/lobby/announce.ts';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { type Expected, lookAfter } from '../../src/match/look-after.ts';
import { matchKey } from '../../src/match/store.ts';
import { mastersOf } from '../../src/platform/redis.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

const LOBBIES = 30;
const NOTHING = { differing: [], overdue: [], behind: [], strayed: [] };

let users: Player[];
const arena = useArena({ workers: 0 });
beforeAll(async () => {
  users = await arena.players('Ada', 'Ben', 'Cleo', 'Dan');
});
afterEach(() => vi.restoreAllMocks());

const services = () => arena.replicas[0]?.services as Services;

/** A lobby with two sockets that nobody keeps but who looks after it, as that one expects it. */
async function makeLobby(): Promise<Expected> {
  const [ada] = users as [Player];
  const { lobbyId } = (await ada.http.post('/api/v1/lobbies')).body;
  await announceLobby(services(), lobbyId);
  const sockets = ['one', 'two'].map((socketId) => ({ userId: ada.user.id, socketId }));
  const { seq, mark } = await updatePresence(services(), lobbyId, 'add', sockets, 'always');
  return { lobbyId, head: { seq, mark }, sockets };
}

/** What a look finds, whatever commands it takes. */
async function lookAt(expected: Expected[]) {
  const findings = await Promise.all(lookAfter(services(), expected));
  const idsOf = (name: 'differing' | 'overdue' | 'behind' | 'strayed') =>
    findings.flatMap((found) => found[name]);
  return {
    ...{ differing: idsOf('differing'), overdue: idsOf('overdue') },
    ...{ behind: idsOf('behind'), strayed: idsOf('strayed') },
  };
}

/** Looks at several lobbies, to one of which something has happened. */
async function lookAtChanged(
  change: (keys: { lobby: string; sockets: string; match: string }) => Promise<unknown>,
) {
  const expected = [await makeLobby(), await makeLobby(), await makeLobby()];
  const { lobbyId } = expected[1] as Expected;
  const [lobby] = lobbyKeys(lobbyId);
  await change({ lobby, sockets: socketsKey(lobbyId), match: matchKey(lobbyId) });
  return { found: await lookAt(expected), lobbyId };
}

it('an idle lobby of four on two replicas costs at most one command in two seconds', async () => {
  const lobbies: Player[][] = [];
  for (let index = 0; index < LOBBIES; index++) {
    const players = users.map(({ user }, place) =>
      playerOf(user, arena.replicas[place % 2]?.url as string),
    );
    await Promise.all(players.map((player) => player.connect()));
    await gather(players);
    lobbies.push(players);
  }
  let commands = 0;
  for (const { services: replica } of arena.replicas) {
    for (const server of await mastersOf(replica.redis)) {
      const send = server.sendCommand.bind(server);
      vi.spyOn(server, 'sendCommand').mockImplementation((...args) => {
        commands++;
        return send(...args);
      });
    }
  }
  const startedMs = performance.now();
  await sleep(6000);
  const seconds = (performance.now() - startedMs) / 1000;
  expect(commands / seconds / LOBBIES).toBeLessThan(0.5);
  // All are still kept: none of their entries is older than two rounds.
  for (const players of lobbies) {
    const sockets = socketsKey(lobbyIdOf(players[0] as Player));
    await eventually(async () => {
      const [, oldest] = await services().redis.zrange(sockets, '0', '0', 'WITHSCORES');
      expect(Number(oldest) - services().nowMs()).toBeGreaterThan(9000);
      expect(await services().redis.zcard(sockets)).toBe(4);
    });
  }
  for (const player of lobbies.flat()) player.drop();
});

it.each<[string, (keys: { lobby: string; sockets: string }) => Promise<unknown>]>([
  ['has other events', ({ lobby }) => services().redis.hincrby(lobby, 'seq', 1)],
  ['is in another history', ({ lobby }) => services().redis.hdel(lobby, 'mark')],
  ['has lost a socket', ({ sockets }) => services().redis.zpopmin(sockets)],
  ['has a socket that nobody keeps', ({ sockets }) => services().redis.zadd(sockets, '1', 'a:b')],
  ['has no roster', ({ lobby }) => services().redis.hdel(lobby, 'version')],
  ['is closed', ({ lobby }) => services().redis.hset(lobby, 'closed', '1')],
])('of all lobbies, one that %s is found', async (_what, change) => {
  const { found, lobbyId } = await lookAtChanged(change);
  expect(found).toEqual({ ...NOTHING, differing: [lobbyId] });
});

it.each([
  { status: 'finishing' },
  { status: 'open', deadlineMs: 1000, complete: '' },
  { status: 'open', deadlineMs: 9e12, complete: 'all_answered' },
])('of all lobbies, one whose game should go on is found: %j', async (match) => {
  const { found, lobbyId } = await lookAtChanged((keys) => putMatch(keys, match));
  expect(found).toEqual({ ...NOTHING, overdue: [lobbyId] });
});

it('of all lobbies, one whose roster is another than its game was compared with is found', async () => {
  const match = { status: 'open', deadlineMs: 9e12, complete: '' };
  const { found, lobbyId } = await lookAtChanged(async (keys) => {
    await putMatch(keys, match);
    await services().redis.hset(keys.match, { membersVersion: '0' });
  });
  expect(found).toEqual({ ...NOTHING, strayed: [lobbyId] });
});

/** A game that was compared with its lobby's roster. */
async function putMatch(keys: { lobby: string; match: string }, fields: object): Promise<void> {
  const { redis } = services();
  const membersVersion = (await redis.hget(keys.lobby, 'version')) as string;
  await redis.hset(keys.match, { ...fields, membersVersion });
}

it('of all lobbies, one whose announced roster is too old is found', async () => {
  const lobbies = [await makeLobby(), await makeLobby()];
  const [first, second] = lobbies.map(({ lobbyId }) => lobbyId);
  const [version, behind] = [await versionOf(first as string), await versionOf(second as string)];
  const found = await lookAt([
    { ...(lobbies[0] as Expected), version },
    { ...(lobbies[1] as Expected), version: behind + 1 },
  ]);
  expect(found).toEqual({ ...NOTHING, behind: [second] });
});

const versionOf = async (lobbyId: string) =>
  Number(await services().redis.hget(lobbyKeys(lobbyId)[0], 'version'));
