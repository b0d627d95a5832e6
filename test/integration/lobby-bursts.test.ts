// A class that comes in at once: one `lobby:state` may stand for several changes, and the last change
// is always told, whoever dies. [contract 11]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { announceLobby } from '../../src/lobby/announce.ts';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { kickPlayer } from '../../src/lobby/host-store.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { createOwedStates } from '../../src/lobby/owed-states.ts';
import { type Presence, updatePresence } from '../../src/lobby/presence.ts';
import { findById, type StoredLobby } from '../../src/lobby/store.ts';
import { createRoom, type Listener } from '../../src/realtime/room.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const COMERS = 60;
/** Nobody's: who connects is not asked for membership here. */
const ghosts = (): Presence[] =>
  Array.from({ length: COMERS }, () => ({ userId: randomUUID(), socketId: randomUUID() }));

const arena = useArena({ workers: 0 });

const services = () => arena.replicas[0]?.services as Services;

async function open(): Promise<{ players: [Player, Player]; lobbyId: string; code: string }> {
  const players = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const code = await gather(players);
  return { players, code, lobbyId: lobbyIdOf(players[0]) };
}

const statesOf = async (lobbyId: string) =>
  (await readWholeLog(services().redis, lobbyId)).filter(({ type }) => type === 'lobby:state');

const connectedAtLast = async (lobbyId: string) =>
  (await statesOf(lobbyId)).at(-1)?.connected as string[];

describe('in a burst of changes of who is there', () => {
  it('one lobby:state stands for several, and one comes after the last', async () => {
    const { players, lobbyId } = await open();
    const before = (await statesOf(lobbyId)).length;
    const comers = ghosts();
    await Promise.all(
      comers.map((comer) => updatePresence(services(), lobbyId, 'add', [comer], 'soon')),
    );
    await eventually(async () =>
      expect(await connectedAtLast(lobbyId)).toEqual(
        expect.arrayContaining(comers.map(({ userId }) => userId)),
      ),
    );
    const states = (await statesOf(lobbyId)).slice(before);
    expect(states.length).toBeLessThan(COMERS);
    for (const player of players) {
      await player.next('lobby:state', ({ seq }) => seq === states.at(-1)?.seq);
    }
  });

  it('those that a dead process owes are told by whoever looks after the lobby', async () => {
    const { lobbyId } = await open();
    const dead = { ...services(), owedStates: { payIn: () => {} } };
    const comers = ghosts();
    for (const comer of comers) await updatePresence(dead, lobbyId, 'add', [comer], 'soon');
    await eventually(async () =>
      expect(await connectedAtLast(lobbyId)).toEqual(
        expect.arrayContaining(comers.map(({ userId }) => userId)),
      ),
    );
  });

  it('a process that stops tells at once what it owes', async () => {
    const { lobbyId } = await open();
    const own = createOwedStates(services().redis, services());
    const [comer] = ghosts() as [Presence];
    const [lobby] = lobbyKeys(lobbyId);
    // Not due for a long time.
    await services().redis.hset(lobby, 'owedAtMs', Date.now() + 600_000);
    await services().redis.hset(lobby, 'connected', JSON.stringify([comer.userId]));
    own.payIn(lobbyId, 600_000);
    await own.stop();
    expect(await connectedAtLast(lobbyId)).toEqual([comer.userId]);
    expect(await services().redis.hexists(lobby, 'owedAtMs')).toBe(0);
  });

  it('what a host does is told at once', async () => {
    const { players, lobbyId } = await open();
    const [ada, ben] = players;
    await updatePresence(services(), lobbyId, 'add', ghosts(), 'always');
    ada.send({ type: 'lobby:lock', locked: true });
    await ben.next('lobby:state', ({ lobby }) => lobby.locked);
    expect(await services().redis.hexists(lobbyKeys(lobbyId)[0], 'owedAtMs')).toBe(0);
  });
});

it('a player who is removed while coming in is told so, and does not come in', async () => {
  const { players, lobbyId, code } = await open();
  const [ada, ben] = players;
  const stored = (await findById(services().db, lobbyId)) as StoredLobby;
  const told: string[] = [];
  const listener: Listener = {
    ...{ id: randomUUID(), userId: ben.user.id },
    send: (text) => void told.push(text.toString()),
  };
  const room = createRoom({ ...services(), onRemoved: () => {} }, lobbyId);
  await kickPlayer(services().db, lobbyId, ada.user.id, ben.user.id);
  await announceLobby(services(), lobbyId, 'always');
  for (const since of [undefined, { seq: 1, mark: undefined }]) {
    told.length = 0;
    expect(await room.seat(listener, since, stored.roster)).toBe(false);
    expect(told.at(-1)).toBe(JSON.stringify({ type: 'lobby:kicked', code }));
  }
  expect(room.listeners()).toEqual([]);
});
