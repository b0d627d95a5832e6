// A replica checks all its lobbies by one command, so that an idle lobby costs Redis little; only a lobby
// that needs a repair costs more commands. [contract 5.1, 5.9, 16]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { announceLobby } from '../../src/lobby/announce.ts';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { checkLobbies, type ExpectedLobby } from '../../src/match/check-lobbies.ts';
import { matchKey } from '../../src/match/keys.ts';
import { mastersOf } from '../../src/platform/redis/redis.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

const LOBBIES = 30;
const NOTHING = { changed: [], overdue: [], outdated: [], departed: [] };

let users: Player[];
const arena = useArena({ workers: 0 });
beforeAll(async () => {
  users = await arena.players('Ada', 'Ben', 'Cleo', 'Dan');
});
afterEach(() => vi.restoreAllMocks());

/** Makes a lobby with two sockets whose presence only the check knows. @returns the state that the check expects */
async function makeLobby(): Promise<ExpectedLobby> {
  const [ada] = users as [Player];
  const { lobbyId } = (await ada.http.post('/api/v1/lobbies')).body;
  await announceLobby(arena.services, lobbyId);
  const sockets = ['one', 'two'].map((socketId) => ({ userId: ada.user.id, socketId }));
  const { seq, mark } = await updatePresence(arena.services, lobbyId, 'add', sockets, 'always');
  return { lobbyId, head: { seq, mark }, sockets };
}

/** @returns the findings of a check, over all its commands */
async function checkAll(expected: ExpectedLobby[]) {
  const findings = await Promise.all(checkLobbies(arena.services, expected));
  const kinds = Object.keys(NOTHING) as (keyof typeof NOTHING)[];
  return Object.fromEntries(kinds.map((kind) => [kind, findings.flatMap((found) => found[kind])]));
}

/** Checks several lobbies after a change of one of them. */
async function checkAfter(change: (keys: { lobby: string; sockets: string; match: string }) => Promise<unknown>) {
  const expected = [await makeLobby(), await makeLobby(), await makeLobby()];
  const { lobbyId } = expected[1] as ExpectedLobby;
  const [lobby] = lobbyKeys(lobbyId);
  await change({ lobby, sockets: socketsKey(lobbyId), match: matchKey(lobbyId) });
  return { found: await checkAll(expected), lobbyId };
}

it('an idle lobby of four on two replicas costs at most one command in two seconds', async () => {
  const lobbies: Player[][] = [];
  for (let index = 0; index < LOBBIES; index++) {
    const players = users.map(({ user }, place) => playerOf(user, arena.replicas[place % 2]?.url as string));
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
  // One more check of all lobbies may fall into the time.
  expect(commands / LOBBIES).toBeLessThan(0.5 * seconds + 1);
  // All sockets are still present: their entries were renewed within the last two checks.
  for (const players of lobbies) {
    const sockets = socketsKey(lobbyIdOf(players[0] as Player));
    await eventually(async () => {
      const [, oldest] = await arena.services.redis.zrange(sockets, '0', '0', 'WITHSCORES');
      expect(Number(oldest) - arena.services.nowMs()).toBeGreaterThan(9000);
      expect(await arena.services.redis.zcard(sockets)).toBe(4);
    });
  }
  for (const player of lobbies.flat()) player.drop();
});

it('a check of a lobby renews the expiry of its keys', async () => {
  const { redis } = arena.services;
  const { lobbyId } = await checkAfter(({ lobby, sockets }) =>
    Promise.all([lobby, sockets].map((key) => redis.pexpire(key, 60_000))),
  );
  for (const key of [lobbyKeys(lobbyId)[0], socketsKey(lobbyId)]) expect(await redis.pttl(key)).toBeGreaterThan(60_000);
});

it.each<[string, (keys: { lobby: string; sockets: string }) => Promise<unknown>]>([
  ['has other events', ({ lobby }) => arena.services.redis.hincrby(lobby, 'seq', 1)],
  ['has another history', ({ lobby }) => arena.services.redis.hdel(lobby, 'mark')],
  ['has lost a socket', ({ sockets }) => arena.services.redis.zpopmin(sockets)],
  ['has the socket of no replica', ({ sockets }) => arena.services.redis.zadd(sockets, '1', 'a:b')],
  ['has no roster', ({ lobby }) => arena.services.redis.hdel(lobby, 'version')],
  ['is closed', ({ lobby }) => arena.services.redis.hset(lobby, 'closed', '1')],
])('a check of all lobbies finds one that %s', async (_what, change) => {
  const { found, lobbyId } = await checkAfter(change);
  expect(found).toEqual({ ...NOTHING, changed: [lobbyId] });
});

it.each([
  { status: 'finishing' },
  { status: 'open', deadlineMs: 1000, complete: '' },
  { status: 'open', deadlineMs: 9e12, complete: 'all_answered' },
])('a check of all lobbies finds one whose game is overdue: %j', async (match) => {
  const { found, lobbyId } = await checkAfter((keys) => putMatch(keys, match));
  expect(found).toEqual({ ...NOTHING, overdue: [lobbyId] });
});

it('a check of all lobbies finds one whose roster has changed since its game was compared with it', async () => {
  const match = { status: 'open', deadlineMs: 9e12, complete: '' };
  const { found, lobbyId } = await checkAfter(async (keys) => {
    await putMatch(keys, match);
    await arena.services.redis.hset(keys.match, { membersVersion: '0' });
  });
  expect(found).toEqual({ ...NOTHING, departed: [lobbyId] });
});

/** Stores a game that was compared with the lobby's current roster. */
async function putMatch(keys: { lobby: string; match: string }, fields: object): Promise<void> {
  const { redis } = arena.services;
  const membersVersion = (await redis.hget(keys.lobby, 'version')) as string;
  await redis.hset(keys.match, { ...fields, membersVersion });
}

it('a check of all lobbies finds one whose announced roster is outdated', async () => {
  const lobbies = [await makeLobby(), await makeLobby()];
  const expected = lobbies.map(async (lobby, ahead) => {
    const version = await arena.services.redis.hget(lobbyKeys(lobby.lobbyId)[0], 'version');
    return { ...lobby, version: Number(version) + ahead };
  });
  const found = await checkAll(await Promise.all(expected));
  expect(found).toEqual({ ...NOTHING, outdated: [lobbies[1]?.lobbyId] });
});
