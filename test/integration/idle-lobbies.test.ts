// Lobbies that nobody uses any more. [contract 4]

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { announceClosed } from '../../src/lobby/event-log.ts';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import type { Services } from '../../src/services.ts';
import { removeIdleLobbies } from '../../worker/remove-idle-lobbies.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, lobbyIdOf, startGame } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

/** Several times as long as a lobby may be idle, and as the worker takes to look. */
const LONG_MS = 12_000;

const arena = useArena({ env: { LOBBY_IDLE_TTL_SECONDS: '5', ROUND_DURATION_MS: '30000' } });

const services = () => arena.replicas[0]?.services as Services;
const statusOf = async (player: Player, code: string) =>
  (await player.http.get(`/api/v1/lobbies/${code}`)).status;

describe('after LOBBY_IDLE_TTL_SECONDS', () => {
  it.concurrent('a waiting lobby in which nobody ever was connected is deleted', async () => {
    const ada = await arena.player('Ada');
    const { code } = (await ada.http.post('/api/v1/lobbies')).body;
    await eventually(async () => expect(await statusOf(ada, code)).toBe(404));
    expect((await ada.http.post(`/api/v1/lobbies/${code}/join`)).body.code).toBe('LOBBY_NOT_FOUND');
  });

  it.concurrent('so is one that everybody has disconnected from; who comes late is told', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const code = await gather([ada, ben]);
    ada.drop();
    ben.drop();
    await eventually(async () => expect(await statusOf(ada, code)).toBe(404));
    await ben.connect();
    expect(await ben.refused({ type: 'lobby:join', code })).toMatchObject({
      ...{ code: 404, reason: 'LOBBY_NOT_FOUND' },
    });
  });

  it.concurrent('one in which somebody is connected stays', async () => {
    const [ada] = (await arena.players('Ada')) as [Player];
    const code = await gather([ada]);
    await sleep(LONG_MS);
    expect(await statusOf(ada, code)).toBe(200);
    expect(ada.messages.every(({ type }) => type === 'lobby:state')).toBe(true);
  });

  it.concurrent('one whose game is running stays, though everybody is gone', async () => {
    const { ada, ben, code } = await startGame(arena);
    ada.drop();
    ben.drop();
    await sleep(LONG_MS);
    const { body } = await ada.http.get(`/api/v1/lobbies/${code}`);
    expect(body.status).toBe('running');
  });

  it.concurrent('a finished one is deleted, while the result of its game stays', async () => {
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

it('[contract 5.9] a lobby’s log is kept for 10 minutes at least, after its end too', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  await gather([ada, ben]);
  const [, log] = lobbyKeys(lobbyIdOf(ada));
  const { redis } = services();
  expect(await redis.pttl(log)).toBeGreaterThan(600_000);
  ada.send({ type: 'lobby:leave' });
  await ben.next('lobby:closed');
  expect(await redis.pttl(log)).toBeGreaterThan(600_000);
  expect(await redis.xlen(log)).toBe(ben.lastSeq());
});

describe('lobby:closed with the reason expired', () => {
  it('comes to sockets whose replica was cut off for so long that nobody knew of them', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const code = await gather([ada, ben]);
    const lobbyId = lobbyIdOf(ada);
    const [lobby] = lobbyKeys(lobbyId);
    await eventually(async () => {
      await services().redis.del(socketsKey(lobbyId));
      await services().redis.hdel(lobby, 'seenMs');
      await removeIdleLobbies(services());
      expect(await statusOf(ada, code)).toBe(404);
    });
    for (const player of [ada, ben]) {
      const closed = await player.next('lobby:closed');
      expect(closed).toMatchObject({ code, reason: 'expired' });
      expect(await player.refused({ type: 'game:ready' })).toMatchObject({
        reason: 'NOT_IN_LOBBY',
      });
    }
  });

  it.each([true, false])(
    'comes to who enters in that moment, too (with since: %s)',
    async (isBack) => {
      const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
      const code = await gather([ada]);
      await ben.http.post(`/api/v1/lobbies/${code}/join`);
      // Of changes that follow each other closely not each is told.
      await ada.next('lobby:state', ({ lobby: { players } }) => players.length === 2);
      const lobby = { lobbyId: lobbyIdOf(ada), code };
      await announceClosed(services(), lobby, 'expired');
      ben.send({ type: 'lobby:join', code, ...(isBack ? { since: 1 } : {}) });
      await ben.next('lobby:closed');
      expect(ben.messages.map(({ type }) => type)).toEqual(['lobby:state', 'lobby:closed']);
      expect(await ben.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
      await announceClosed(services(), lobby, 'expired');
      await ada.next('lobby:closed');
      await ada.refused({ type: 'game:ready' });
      expect(ada.messages.filter(({ type }) => type === 'lobby:closed')).toHaveLength(1);
    },
  );
});
