// The role of a host passes on while others join and leave at the same moment. [contract 11]
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { startGame, startGameOf } from '../support/game.ts';
import { join, read } from '../support/lobby-requests.ts';
import type { Player } from '../support/player.ts';

const arena = useArena({ workers: 0, env: { ROUND_DURATION_MS: '60000' } });
let holder: pg.Client;
beforeAll(async () => {
  holder = new pg.Client({ connectionString: arena.stores.databaseUrl });
  await holder.connect();
});
afterAll(() => holder.end());

/** Holds the lock of the lobby's row until all requests wait for it, in their order. */
async function queueAtLock(code: string, requests: (() => unknown)[]): Promise<void> {
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM lobby WHERE code = $1 FOR UPDATE', [code]);
  for (const [index, request] of requests.entries()) {
    request();
    await eventually(async () => {
      const { rowCount } = await holder.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      expect(rowCount).toBe(index + 1);
    });
  }
  await holder.query('COMMIT');
}

const leave = (player: Player) => () => player.send({ type: 'lobby:leave' });

it('a host who leaves right after the next one passes the role to a player who is still there', async () => {
  const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo']);
  const [ada, ben, cleo] = players as [Player, Player, Player];
  await queueAtLock(code, [leave(ben), leave(ada)]);
  await cleo.next('lobby:state', ({ lobby }) => lobby.hostId === cleo.user.id);
  const { players: left, hostId } = (await read(cleo, code)).body;
  expect([left.length, hostId]).toEqual([1, cleo.user.id]);
});

it('the last player, who leaves right after another one has joined, passes the role on', async () => {
  const { ada, ben, code } = await startGame(arena, { lateJoin: true });
  ben.send({ type: 'lobby:leave' });
  await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
  const cleo = await arena.player('Cleo', 1);
  await queueAtLock(code, [() => join(cleo, code), leave(ada)]);
  await eventually(async () => {
    const { players, hostId } = (await read(cleo, code)).body;
    expect([players?.length, hostId]).toEqual([1, cleo.user.id]);
  });
});
