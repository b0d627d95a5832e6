// Many players enter a lobby at once: one `lobby:state` may announce several changes, and the last change is
// always announced, even after a crash. [contract 11]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readWholeLog } from '../../src/lobby/event-log.ts';
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

const statesOf = async (lobbyId: string) =>
  (await readWholeLog(arena.services.redis, lobbyId)).filter(({ type }) => type === 'lobby:state');

describe('in a burst of changes of presence', () => {
  it.each([
    ['by its process', () => arena.services.pendingAnnouncements],
    ['by a reconciler if its process crashes', () => ({ schedule() {} })],
  ])('one lobby:state announces several changes, and one comes after the last change, %s', async (_who, pending) => {
    const { ada, ben, lobbyId } = await openLobby(arena);
    const before = (await statesOf(lobbyId)).length;
    const newcomers = newPresences();
    const deps = { ...arena.services, pendingAnnouncements: pending() };
    await Promise.all(newcomers.map((newcomer) => updatePresence(deps, lobbyId, 'add', [newcomer])));
    const all = expect.arrayContaining(newcomers.map(({ userId }) => userId));
    await eventually(async () => expect((await statesOf(lobbyId)).at(-1)?.connected).toEqual(all));
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
      writes.updatePresence(lobbyId, { change: of, ...socket });
    const arrivals = newcomers.map((newcomer) => change('add', newcomer));
    const returns = [change('add', back), change('remove', back), change('add', back)];
    await Promise.all([...arrivals, ...returns, change('add', gone), change('remove', gone)]);
    const expected = [...newcomers, back].map(({ userId }) => userId);
    expect(await connectedUsers(arena.services, lobbyId)).toEqual(new Set([...before, ...expected]));
    expect(commands).toBeGreaterThan(0);
    expect(commands).toBeLessThan(8);
  });
});
