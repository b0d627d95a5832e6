// A game's messages announce the lobby's status, and other changes are announced before them. [contract 10]
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { addPlayer, findById, markRunning, type StoredLobby } from '../../src/lobby/store.ts';
import { restoreClocks } from '../../src/match/clock/restore-clocks.ts';
import { useArena } from '../support/arena.ts';
import { withClockOff } from '../support/clocked-games.ts';
import { answer, openLobby, startGame } from '../support/game.ts';
import { read } from '../support/player.ts';

const arena = useArena({ workers: 0, env: { ROUND_DURATION_MS: '60000' } });

it('a socket that enters while the game begins sends no lobby:state, and pending changes are announced before the game', async () => {
  const { ada, ben, lobbyId } = await startGame(arena, { rounds: 1 });
  const seq = ada.lastSeq();
  // The presence was requested while the lobby was waiting, and is stored when the game has begun.
  const again = [{ userId: ben.user.id, socketId: randomUUID() }];
  expect((await updatePresence(arena.services, lobbyId, 'add', again)).seq).toBe(seq);

  const events = ada.messages.filter((message) => 'seq' in message);
  const asked = events.findIndex(({ type }) => type === 'game:question');
  expect(asked).toBeGreaterThan(0);
  expect(events.slice(asked).map(({ type }) => type)).toEqual(['game:question']);
});

it('pending changes are announced before the first question', async () => {
  const { ada, ben, lobbyId } = await openLobby(arena);
  const { redis } = arena.services;
  const [lobby] = lobbyKeys(lobbyId);
  await redis.hset(lobby, 'announceAtMs', Date.now() + 60_000);
  ada.send({ type: 'lobby:start' });
  const { seq } = await ben.next('game:question');
  const before = await ben.next('lobby:state', (state) => state.seq === seq - 1);
  expect(before.lobby).toMatchObject({ status: 'waiting' });
  expect(await redis.hexists(lobby, 'announceAtMs')).toBe(0);
});

it('a change that its process did not announce is announced before the end of the game', async () => {
  const { ada, ben, code } = await startGame(arena, { rounds: 1, lateJoin: true });
  const eve = await arena.player('Eve');
  await addPlayer(arena.services.postgres, code, eve.user.id);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const { seq } = await ben.next('game:finished');
  const before = await ben.next('lobby:state', (state) => state.seq === seq - 1);
  expect(before.lobby.players.map(({ name }) => name)).toContain('Eve');
  expect((await read(ada, code)).body).toMatchObject({ status: 'finished', players: { length: 3 } });
});

it('a lobby whose game is in no store waits again soon, even if the clocks of the starting and the checking process are wrong', async () => {
  const { lobbyId } = await openLobby(arena);
  const { clock, db, postgres } = arena.services;
  const { version, roster } = (await findById(postgres, lobbyId)) as StoredLobby;
  const game = { gameId: randomUUID(), settings: roster.settings };
  await withClockOff('ahead', () => markRunning(postgres, lobbyId, version, game));
  await db.$executeRaw`
    UPDATE lobby SET active_at = active_at - interval '1 minute' WHERE id = ${lobbyId}::uuid`;
  await withClockOff('behind', () => restoreClocks({ ...arena.services, clock }));
  expect((await findById(postgres, lobbyId))?.roster).toMatchObject({ status: 'waiting', gameId: null });
});
