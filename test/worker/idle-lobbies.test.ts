// The worker removes lobbies that nobody uses. [contract 4]
import { describe, expect, it, vi } from 'vitest';
import { announceClosed } from '../../src/lobby/event-log.ts';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import { removeIdleLobbies } from '../../worker/remove-expired.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, lobbyIdOf, openLobby, startGame } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ env: { LOBBY_IDLE_TTL_SECONDS: '3', ROUND_DURATION_MS: '30000' } });

const statusOf = async (player: Player, code: string) => (await player.http.get(`/api/v1/lobbies/${code}`)).status;

/** Waits until the worker has deleted a lobby to which nobody ever was connected, and which was idle for the shortest time. */
async function untilOthersAreDeleted(): Promise<void> {
  const eve = await arena.player('Eve');
  const { code } = (await eve.http.post('/api/v1/lobbies')).body;
  await eventually(async () => expect(await statusOf(eve, code)).toBe(404));
}

describe('after LOBBY_IDLE_TTL_SECONDS the worker', () => {
  it.concurrent('deletes a lobby from which all members have disconnected, and a late join is LOBBY_NOT_FOUND', async () => {
    const { ada, ben, code } = await openLobby(arena);
    ada.drop();
    ben.drop();
    await eventually(async () => expect(await statusOf(ada, code)).toBe(404));
    await ben.connect();
    expect(await ben.refused({ type: 'lobby:join', code })).toMatchObject({ code: 404, reason: 'LOBBY_NOT_FOUND' });
  });

  it.concurrent('does not delete a lobby with a connected member', async () => {
    const [ada] = await arena.players('Ada');
    const code = await gather([ada]);
    await untilOthersAreDeleted();
    expect(await statusOf(ada, code)).toBe(200);
    expect(ada.messages.every(({ type }) => type === 'lobby:state')).toBe(true);
  });

  it.concurrent('does not delete a lobby whose game is running, even without connected members', async () => {
    const { ada, ben, code } = await startGame(arena);
    ada.drop();
    ben.drop();
    await untilOthersAreDeleted();
    const { body } = await ada.http.get(`/api/v1/lobbies/${code}`);
    expect(body.status).toBe('running');
  });

  it.concurrent('deletes a finished lobby, but not the result of its game', async () => {
    const { ada, ben, code, gameId } = await startGame(arena, { rounds: 1 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await ada.next('game:finished');
    ada.drop();
    ben.drop();
    await eventually(async () => expect(await statusOf(ada, code)).toBe(404));
    const { status, body } = await ben.http.get(`/api/v1/games/${gameId}`);
    expect([status, body.code]).toEqual([200, code]);
  });
});

it('[contract 5.9] a lobby’s log is stored for at least 10 minutes, also after its end', async () => {
  const { ada, ben, lobbyId } = await openLobby(arena);
  const [, log] = lobbyKeys(lobbyId);
  const { redis } = arena.services;
  expect(await redis.pttl(log)).toBeGreaterThan(600_000);
  ada.send({ type: 'lobby:leave' });
  await ben.next('lobby:closed');
  expect(await redis.pttl(log)).toBeGreaterThan(600_000);
  expect(await redis.xlen(log)).toBe(ben.lastSeq());
});

it('a lobby that can’t be removed is logged, and the turn continues with the others', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  const { redis, db, logger } = arena.services;
  const broken = (await ada.http.post('/api/v1/lobbies')).body;
  const next = (await ben.http.post('/api/v1/lobbies')).body;
  const error = vi.spyOn(logger, 'error');
  const [key] = lobbyKeys(broken.lobbyId);
  await redis.del(key, lobbyKeys(next.lobbyId)[0]);
  await redis.set(key, 'not a hash');
  for (const [age, { lobbyId }] of [broken, next].entries())
    await db.lobby.update({ where: { id: lobbyId }, data: { activeAt: new Date(age) } });
  await removeIdleLobbies(arena.services);
  await eventually(async () => expect(await statusOf(ben, next.code)).toBe(404));
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ lobbyId: broken.lobbyId }), 'idle lobby not removed');
  error.mockRestore();
  await db.lobby.delete({ where: { id: broken.lobbyId } });
});

describe('lobby:closed with the reason expired', () => {
  it('reaches sockets of a replica that has not renewed their presence for too long', async () => {
    const { ada, ben, code, lobbyId } = await openLobby(arena);
    const [lobby] = lobbyKeys(lobbyId);
    await eventually(async () => {
      await arena.services.redis.del(socketsKey(lobbyId));
      await arena.services.redis.hdel(lobby, 'seenMs');
      await removeIdleLobbies(arena.services);
      expect(await statusOf(ada, code)).toBe(404);
    });
    for (const player of [ada, ben]) {
      expect(await player.next('lobby:closed')).toMatchObject({ code, reason: 'expired' });
      expect(await player.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
    }
  });

  it('reaches a socket that enters at that moment', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const code = await gather([ada]);
    await ben.http.post(`/api/v1/lobbies/${code}/join`);
    // Events that follow closely may be merged.
    await ada.next('lobby:state', ({ lobby: { players } }) => players.length === 2);
    const lobby = { lobbyId: lobbyIdOf(ada), code };
    await announceClosed(arena.services, lobby, 'expired');
    ben.send({ type: 'lobby:join', code });
    await ben.next('lobby:closed');
    expect(ben.messages.map(({ type }) => type)).toEqual(['lobby:state', 'lobby:closed']);
    expect(await ben.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
    await announceClosed(arena.services, lobby, 'expired');
    await ada.next('lobby:closed');
    await ada.refused({ type: 'game:ready' });
    expect(ada.messages.filter(({ type }) => type === 'lobby:closed')).toHaveLength(1);
  });
});
