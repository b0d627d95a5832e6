// A replica checks all its lobbies by one command, so that an idle lobby costs Redis little; only a lobby
// that needs a repair costs more commands. [contract 5.1, 5.9, 16]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { announceLobby, announceState, lastSeenMs, readLiveState } from '../../src/lobby/event-log.ts';
import { lobbyKeys, matchKey, socketsKey } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { checkLobbies, type ExpectedLobby } from '../../src/match/check-lobbies.ts';
import { mastersOf } from '../../src/platform/redis/redis.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { create, gather, type Player, playerOf } from '../support/player.ts';
import { type Fields, setFields } from '../support/stores.ts';

const LOBBIES = 30;
const NOTHING = { changed: [], overdue: [], outdated: [], departed: [] };
const KINDS = ['changed', 'overdue', 'outdated', 'departed'] as const;

let users: Player[];
const arena = useArena({ workers: 0 });
beforeAll(async () => {
  users = await arena.players('Ada', 'Ben', 'Cleo', 'Dan');
});
afterEach(() => vi.restoreAllMocks());

/** Makes a lobby with two sockets whose presence only the check knows. @returns the state that the check expects */
async function makeLobby(): Promise<ExpectedLobby> {
  const [ada] = users as [Player];
  const { lobbyId } = await create(ada);
  await announceLobby(arena.services, lobbyId);
  const sockets = ['one', 'two'].map((socketId) => ({ userId: ada.user.id, socketId }));
  await updatePresence(arena.services, lobbyId, 'add', sockets);
  await announceState(arena.services, lobbyId, 'always');
  const { seq, mark } = await readLiveState(arena.services.redis, lobbyId);
  return { lobbyId, head: { seq, mark }, sockets };
}

/** @returns the findings of a check, over all its commands */
async function checkAll(expected: ExpectedLobby[]) {
  const findings = await Promise.all(checkLobbies(arena.services, expected));
  return Object.fromEntries(KINDS.map((kind) => [kind, findings.flatMap((found) => found[kind])]));
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
  const servers = await Promise.all(arena.replicas.map(({ services }) => mastersOf(services.redis)));
  const sent = servers.flat().map((server) => vi.spyOn(server, 'sendCommand'));
  const startedMs = performance.now();
  await sleep(6000);
  const seconds = (performance.now() - startedMs) / 1000;
  const commands = sent.reduce((sum, { mock }) => sum + mock.calls.length, 0);
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

it('a check of a lobby renews the expiry of its keys, and notes that somebody was seen', async () => {
  const { redis } = arena.services;
  const { lobbyId } = await checkAfter(async ({ lobby, sockets }) => {
    for (const key of [lobby, sockets]) await redis.pexpire(key, 60_000);
    await redis.hset(lobby, 'seenMs', '1');
  });
  for (const key of [lobbyKeys(lobbyId)[0], socketsKey(lobbyId)]) expect(await redis.pttl(key)).toBeGreaterThan(60_000);
  expect(await lastSeenMs(redis, lobbyId)).toBeGreaterThan(1);
});

const OPEN = { status: 'open', deadlineMs: 9e12, complete: '' };
it.each<[string, (typeof KINDS)[number] | null, { lobby?: Fields; match?: object; sockets?: Fields }]>([
  ['has other events', 'changed', { lobby: { seq: 9 } }],
  ['has another history', 'changed', { lobby: { mark: 'another' } }],
  ['has the socket of no replica', 'changed', { sockets: { 'a:b': 1 } }],
  ['has lost a socket', 'changed', { sockets: { one: null } }],
  ['has no roster', 'changed', { lobby: { version: null } }],
  ['is closed', 'changed', { lobby: { closed: 1 } }],
  ['has to be announced', 'changed', { lobby: { announceAtMs: 1 } }],
  ['has a game whose result is to be stored', 'overdue', { match: { status: 'finishing' } }],
  ['has a round whose time is over', 'overdue', { match: { ...OPEN, deadlineMs: 1000 } }],
  ['has a round that all have answered', 'overdue', { match: { ...OPEN, complete: 'all_answered' } }],
  ['has another roster than its game', 'departed', { match: { ...OPEN, membersVersion: 0 } }],
  ['has a game with time left', null, { match: OPEN }],
  ['has had a game', null, { match: { ...OPEN, status: 'finished', deadlineMs: 1000, membersVersion: 0 } }],
  ['will be announced', null, { lobby: { announceAtMs: 9e12 } }],
])('of a lobby that %s a check of all lobbies finds: %s', async (_what, kind, { lobby = {}, match, sockets = {} }) => {
  const { redis } = arena.services;
  const { found, lobbyId } = await checkAfter(async (keys) => {
    const membersVersion = (await redis.hget(keys.lobby, 'version')) as string;
    if (match) await redis.hset(keys.match, { membersVersion, ...match });
    await setFields(redis, keys.lobby, lobby);
    for (const [entry, atMs] of Object.entries(sockets))
      await (atMs === null ? redis.zpopmin(keys.sockets) : redis.zadd(keys.sockets, atMs, entry));
  });
  expect(found).toEqual(kind ? { ...NOTHING, [kind]: [lobbyId] } : NOTHING);
});

it('a check of all lobbies finds one whose announced roster is outdated', async () => {
  const lobbies = [await makeLobby(), await makeLobby()];
  const expected = lobbies.map(async (lobby, ahead) => {
    const version = await arena.services.redis.hget(lobbyKeys(lobby.lobbyId)[0], 'version');
    return { ...lobby, version: Number(version) + ahead };
  });
  const found = await checkAll(await Promise.all(expected));
  expect(found).toEqual({ ...NOTHING, outdated: [lobbies[1]?.lobbyId] });
});
