// Requests to a lobby race: the role of a host passes on, a request that loses every race or fails
// halfway is refused, and a lock on a lobby's row delays the joins to that lobby alone. A lock and triggers in the
// database stand for the other requests. [contract 4, 5.2, 11]
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announceLobby } from '../../src/lobby/event-log.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { openLobby, startGame, startGameOf } from '../support/game.ts';
import { create, join, type Player, read } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { withTrigger } from '../support/sql.ts';

/** These are more joins than a locked lobby may occupy connections with, so that most of them wait. */
const JOINERS = 12;

const arena = useArena({ workers: 0, env: { ...SHORT_OUTAGES, ROUND_DURATION_MS: '60000' } });
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
  const [ada, ben, cleo] = players;
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

it('a join that loses every race is 503 UNAVAILABLE, since the lobby has free places', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  const { code } = await create(ada, { settings: { names: 'unique' } });
  const body = 'DELETE FROM lobby_name WHERE user_id = NEW.user_id; RETURN NULL;';
  await withTrigger(arena.services.db, { when: 'AFTER INSERT ON lobby_name', body }, async () => {
    const refused = await join(ben, code);
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
  expect((await join(ben, code)).status).toBe(200);
});

it('a lobby whose host’s process died while it closed the lobby is closed with host_left', async () => {
  const { ada, ben, code, lobbyId } = await openLobby(arena);
  await arena.services.db.lobby.delete({ where: { id: lobbyId } });
  await announceLobby(arena.services, lobbyId);
  expect(await ben.next('lobby:closed')).toMatchObject({ code, reason: 'host_left' });
  // The host's replica may get the event a moment later.
  await eventually(() => ada.refused({ type: 'game:ready' }));
  expect(ada.messages.filter(({ type }) => type === 'lobby:closed')).toEqual([]);
});

it('while the row of one lobby is locked, joins to another one succeed', async () => {
  const names = Array.from({ length: 2 * JOINERS + 1 }, (_, index) => `Player ${index}`);
  const [host, ...joiners] = (await Promise.all(names.map((name) => arena.player(name)))) as [Player, ...Player[]];
  const [locked, free] = [await create(host, { capacity: 50 }), await create(host, { capacity: 50 })];
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM lobby WHERE code = $1 FOR UPDATE', [locked.code]);
  const waiting = joiners.slice(0, JOINERS).map(async (player) => (await join(player, locked.code)).status);
  // The first reply can only be that of a join which has waited too long for the lock.
  const release = Promise.race(waiting).then(() => holder.query('ROLLBACK'));
  const toLocked = Promise.all(waiting);
  const toFree = await Promise.all(
    joiners.slice(JOINERS).map(async (player) => (await join(player, free.code)).status),
  );
  expect(toFree).toEqual(Array(JOINERS).fill(200));
  await release;
  // A join that waits too long for the lock fails, and the joins behind it are tried afterwards.
  expect([...new Set(await toLocked)].toSorted()).toEqual([200, 503]);
});
