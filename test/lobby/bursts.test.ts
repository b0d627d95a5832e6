// Many players enter a lobby at once: one `lobby:state` may announce several changes, and the last change is
// always announced, even after a crash. [contract 11]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { announceLobby } from '../../src/lobby/announce.ts';
import { createPendingAnnouncements, readWholeLog } from '../../src/lobby/event-log.ts';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import { createLobbyWrites } from '../../src/lobby/lobby-writes.ts';
import { connectedUsers, type Presence, updatePresence } from '../../src/lobby/presence.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { openLobby } from '../support/game.ts';

const NEWCOMERS = 60;
/** These users are no members, because presence is stored without a check of membership. */
const newPresences = (): Presence[] =>
  Array.from({ length: NEWCOMERS }, () => ({ userId: randomUUID(), socketId: randomUUID() }));

const arena = useArena({ workers: 0 });

/** Opens a lobby without a socket, so that no replica changes it. */
async function openEmptyLobby(settings: object = {}): Promise<string> {
  const { http } = await arena.player('Ada');
  const { lobbyId } = (await http.post('/api/v1/lobbies', { settings })).body;
  await announceLobby(arena.services, lobbyId);
  return lobbyId;
}

const statesOf = async (lobbyId: string) =>
  (await readWholeLog(arena.services.redis, lobbyId)).filter(({ type }) => type === 'lobby:state');

const connectedAtLast = async (lobbyId: string) => (await statesOf(lobbyId)).at(-1)?.connected as string[];

describe('in a burst of changes of presence', () => {
  it('one lobby:state announces several changes, and one comes after the last change', async () => {
    const { ada, ben, lobbyId } = await openLobby(arena);
    const before = (await statesOf(lobbyId)).length;
    const newcomers = newPresences();
    await Promise.all(newcomers.map((newcomer) => updatePresence(arena.services, lobbyId, 'add', [newcomer], 'soon')));
    await eventually(async () =>
      expect(await connectedAtLast(lobbyId)).toEqual(expect.arrayContaining(newcomers.map(({ userId }) => userId))),
    );
    const states = (await statesOf(lobbyId)).slice(before);
    expect(states.length).toBeLessThan(NEWCOMERS);
    for (const player of [ada, ben]) await player.next('lobby:state', ({ seq }) => seq === states.at(-1)?.seq);
  });

  it('a crowd’s changes are written in few commands, each socket’s in their order', async () => {
    const { lobbyId } = await openLobby(arena);
    const before = await connectedUsers(arena.services, lobbyId);
    let commands = 0;
    // Only commands of this object are counted: the reconciler of the replica sends others.
    const redis = new Proxy(arena.services.redis, {
      get(target, name) {
        if (name === 'evalsha') commands++;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const writes = createLobbyWrites({ ...arena.services, redis });
    const newcomers = newPresences();
    const [back, gone] = newPresences() as [Presence, Presence];
    const change = (of: 'add' | 'remove', socket: Presence) =>
      writes.updatePresence(lobbyId, { change: of, announce: 'changed', ...socket });
    await Promise.all([
      ...newcomers.map((newcomer) => change('add', newcomer)),
      change('add', back),
      change('remove', back),
      change('add', back),
      change('add', gone),
      change('remove', gone),
    ]);
    const expected = [...newcomers, back].map(({ userId }) => userId);
    expect(await connectedUsers(arena.services, lobbyId)).toEqual(new Set([...before, ...expected]));
    expect(commands).toBeGreaterThan(0);
    expect(commands).toBeLessThan(8);
  });

  it('a reconciler makes the pending announcement of a crashed process', async () => {
    const { lobbyId } = await openLobby(arena);
    const crashed = { ...arena.services, pendingAnnouncements: { schedule: () => {} } };
    const newcomers = newPresences();
    for (const newcomer of newcomers) await updatePresence(crashed, lobbyId, 'add', [newcomer], 'soon');
    await eventually(async () =>
      expect(await connectedAtLast(lobbyId)).toEqual(expect.arrayContaining(newcomers.map(({ userId }) => userId))),
    );
  });

  it.each([
    ['a lobby', { compact: false }, 200],
    ['a compact lobby', { compact: true }, 1000],
  ])('the next announcement of %s follows soon after the last', async (_which, settings, maxMs) => {
    const lobbyId = await openEmptyLobby(settings);
    const crashed = { ...arena.services, pendingAnnouncements: { schedule: () => {} } };
    for (const when of ['always', 'soon'] as const) await updatePresence(crashed, lobbyId, 'add', newPresences(), when);
    const { announcedAtMs, announceAtMs } = await arena.services.redis.hgetall(lobbyKeys(lobbyId)[0]);
    const delayMs = Number(announceAtMs) - Number(announcedAtMs);
    expect(delayMs).toBeGreaterThan(maxMs / 2);
    expect(delayMs).toBeLessThanOrEqual(maxMs);
  });

  it('the connected users are listed once each, in the same order whoever came first', async () => {
    const lobbyId = await openEmptyLobby();
    const { redis } = arena.services;
    const later = Date.now() + 100_000;
    for (const [at, entry] of ['c:1', 'a:1', 'b:1', 'a:2'].entries())
      await redis.zadd(socketsKey(lobbyId), later + at, entry);
    await updatePresence(arena.services, lobbyId, 'add', []);
    const { connected, connectedCount } = await redis.hgetall(lobbyKeys(lobbyId)[0]);
    expect([connected, connectedCount]).toEqual(['["a","b","c"]', '3']);
  });

  it('a renewal of presence changes nothing but the expiry of the lobby’s keys', async () => {
    const { lobbyId } = await openLobby(arena);
    const { redis } = arena.services;
    const keys = [lobbyKeys(lobbyId)[0], socketsKey(lobbyId)] as const;
    // The lobby's own changes are announced before.
    await eventually(async () => expect(await redis.hexists(keys[0], 'announceAtMs')).toBe(0));
    for (const key of keys) await redis.pexpire(key, 60_000);
    await updatePresence(arena.services, lobbyId, 'add', []);
    expect(await redis.hexists(keys[0], 'announceAtMs')).toBe(0);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(60_000);
  });

  it('a process that stops makes its pending announcements at once', async () => {
    const { lobbyId } = await openLobby(arena);
    const own = createPendingAnnouncements(arena.services);
    const [newcomer] = newPresences() as [Presence];
    const [lobby] = lobbyKeys(lobbyId);
    // The announcement is due in ten minutes.
    await arena.services.redis.hset(lobby, 'announceAtMs', Date.now() + 600_000);
    await arena.services.redis.hset(lobby, 'connected', JSON.stringify([newcomer.userId]));
    own.schedule(lobbyId, 600_000);
    await own.flush();
    expect(await connectedAtLast(lobbyId)).toEqual([newcomer.userId]);
    // A replica may have noticed meanwhile that nobody is connected, which it announces soon.
    const nextAtMs = Number(await arena.services.redis.hget(lobby, 'announceAtMs'));
    expect(nextAtMs).toBeLessThan(Date.now() + 300_000);
  });

  it('a change by the host is announced at once', async () => {
    const { ada, ben, lobbyId } = await openLobby(arena);
    await updatePresence(arena.services, lobbyId, 'add', newPresences(), 'always');
    ada.send({ type: 'lobby:lock', locked: true });
    await ben.next('lobby:state', ({ lobby }) => lobby.locked);
    expect(await arena.services.redis.hexists(lobbyKeys(lobbyId)[0], 'announceAtMs')).toBe(0);
  });
});
