// What happens to a lobby when a request loses every race, fails halfway, or dies with its process. Triggers in the
// database stand for the other requests. [contract 4, 5.2]
import { expect, it } from 'vitest';
import { announceLobby } from '../../src/lobby/announce.ts';
import { useArena } from '../support/arena.ts';
import { create, join, read } from '../support/lobby-requests.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ workers: 0 });
const services = () => (arena.replicas[0] as (typeof arena.replicas)[number]).services;

/** Runs `act` while the trigger's function has this body. */
async function withTrigger({ when, body }: { when: string; body: string }, act: () => Promise<void>): Promise<void> {
  const { db } = services();
  await db.$executeRawUnsafe(`CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`);
  try {
    await db.$executeRawUnsafe(`CREATE TRIGGER interfere ${when} FOR EACH ROW EXECUTE FUNCTION interfere()`);
    await act();
  } finally {
    await db.$executeRawUnsafe('DROP FUNCTION interfere CASCADE');
  }
}

it('a join that loses every race is 503 UNAVAILABLE, since the lobby has free places', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const { code } = await create(ada, { settings: { names: 'unique' } });
  const body = 'DELETE FROM lobby_name WHERE user_id = NEW.user_id; RETURN NULL;';
  await withTrigger({ when: 'AFTER INSERT ON lobby_name', body }, async () => {
    const refused = await join(ben, code);
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
  expect((await join(ben, code)).status).toBe(200);
});

it('a leave that loses every race is 503 UNAVAILABLE, and the player can leave again', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const code = await gather([ada, ben]);
  await withTrigger({ when: 'BEFORE DELETE ON lobby_player', body: 'RETURN NULL;' }, async () => {
    expect(await ben.refused({ type: 'lobby:leave' })).toMatchObject({ reason: 'UNAVAILABLE' });
    expect((await read(ben, code)).status).toBe(200);
  });
  ben.send({ type: 'lobby:leave' });
  await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
  expect((await read(ben, code)).body.code).toBe('NOT_A_MEMBER');
});

it('a lobby whose host’s process died while it closed the lobby is closed with host_left', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const code = await gather([ada, ben]);
  const { lobbyId } = (await read(ada, code)).body;
  await services().db.lobby.delete({ where: { id: lobbyId } });
  await announceLobby(services(), lobbyId);
  expect(await ben.next('lobby:closed')).toMatchObject({ code, reason: 'host_left' });
  await ada.refused({ type: 'game:ready' });
  expect(ada.messages.filter(({ type }) => type === 'lobby:closed')).toEqual([]);
});

it('a lobby whose names cannot be stored is not created', async () => {
  const [ada] = (await arena.players('Ada')) as [Player];
  const { db } = services();
  const before = await db.lobby.count();
  const body = "RAISE EXCEPTION 'no names';";
  await withTrigger({ when: 'BEFORE INSERT ON lobby_name', body }, async () => {
    const settings = { names: 'unique' };
    expect((await ada.http.post('/api/v1/lobbies', { settings })).status).toBe(500);
  });
  expect(await db.lobby.count()).toBe(before);
});
