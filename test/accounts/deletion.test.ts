// An account is deleted by its owner or by the operator, also after a crash in the middle. [contract 17]
import { it as base, describe, expect } from 'vitest';
import { finishDeletions } from '../../src/accounts/delete-account.ts';
import { noteDeletion } from '../../src/accounts/store.ts';
import { removePlayers } from '../../src/lobby/store.ts';
import { signIn as enter, PASSWORD, signUp } from '../support/accounts.ts';
import { useArena } from '../support/arena.ts';
import { operate } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { answer, lobbyIdOf, startGameOf } from '../support/game.ts';
import { createHttpClient } from '../support/http-client.ts';
import { gather } from '../support/player.ts';
import { advanceTime } from '../support/stopwatch.ts';
import { createSignedInUser, givePassword, makeSessionOld, signIn } from '../support/users.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '60000' } });

const it = base.extend('user', () => createSignedInUser(arena.services));
const browser = (cookie = '') => createHttpClient(arena.replicas[0].url, { cookie });
const remove = ({ cookie }: { cookie: string }, body: object = {}) =>
  browser(cookie).post('/api/auth/delete-user', body);
const exists = async (id: string) => (await arena.services.db.user.count({ where: { id } })) === 1;
async function areSignedOut(...cookies: string[]): Promise<void> {
  for (const cookie of cookies)
    for (const { services } of arena.replicas) expect(await services.userSessions.findUser({ cookie })).toBeNull();
}

describe('deleting an account', () => {
  it('ends it on every replica, and the address can sign up again as another user', async () => {
    const player = await arena.player('Ada');
    await player.connect();
    const { id, email } = player.user;
    await givePassword(arena.services, id, PASSWORD);
    const elsewhere = await signIn(arena.services, id);
    const wrong = await remove(player.user, { password: 'wrong horse' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_PASSWORD' } });
    expect(await exists(id)).toBe(true);

    const answered = await remove(player.user, { password: PASSWORD });
    expect(answered).toMatchObject({ status: 200, body: { success: true } });
    await areSignedOut(player.user.cookie, elsewhere);
    expect((await enter(browser(), email)).status).toBe(401);
    expect((await signUp(browser(), email)).status).toBe(200);
    expect(await arena.services.db.user.count({ where: { email, id: { not: id } } })).toBe(1);
    advanceTime(60_000);
    expect(await player.whenClosed()).toBe(4401);
  });

  it('needs the password or a sign-in within the last 15 minutes', async ({ user }) => {
    await makeSessionOld(arena.services, user);
    expect(await remove(user)).toMatchObject({ status: 400, body: { code: 'SESSION_EXPIRED' } });
    expect(await exists(user.id)).toBe(true);
    const fresh = { cookie: await signIn(arena.services, user.id) };
    expect(await remove(fresh)).toMatchObject({ status: 200 });
    expect(await exists(user.id)).toBe(false);
    expect(await remove({ cookie: '' })).toMatchObject({ status: 401 });
  });

  it('closes a waiting lobby of the user, and leaves one of another host', async () => {
    const [ada, ben, carl] = await arena.players('Ada', 'Ben', 'Carl');
    const code = await gather([ada, ben, carl]);
    expect((await remove(carl.user)).status).toBe(200);
    for (const player of [ada, ben]) await player.next('lobby:state', ({ lobby }) => lobby.players.length === 2);
    expect((await ada.http.get(`/api/v1/lobbies/${code}`)).body.players).toHaveLength(2);
    const place = await arena.services.db.lobby.findUnique({ where: { code } });
    expect(place?.playerCount).toBe(2);
    expect((await remove(ada.user)).status).toBe(200);
    expect(await ben.next('lobby:closed')).toMatchObject({ code, reason: 'host_left' });
  });

  it('leaves a running game, whose result then has no name of the user, while the lobby continues', async () => {
    const game = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { rounds: 2 });
    const [ada, ben, carl] = game.players;
    for (const player of game.players) await answer(arena, player, 1, 'right');
    await ben.next('game:question', ({ round }) => round === 2);
    const { length } = ben.messages;
    await answer(arena, ben, 2, 'right');
    await answer(arena, carl, 2, 'right');
    // Ben and Carl have answered, so that the round waits for the host alone.
    expect((await remove(ada.user)).status).toBe(200);
    const state = await ben.next('lobby:state', () => true, length);
    expect(state.lobby.players.map(({ name }) => name)).toEqual(['Ben', 'Carl']);
    await ben.next('game:finished');
    const stored = await ben.http.get(`/api/v1/games/${game.gameId}`);
    expect(stored.body.scores).toContainEqual({ userId: ada.user.id, name: 'Deleted player', score: 1, correct: 1 });
    expect(stored.body.scores).toHaveLength(3);
    const lobby = await ben.http.get(`/api/v1/lobbies/${game.code}`);
    expect(lobby.body).toMatchObject({ status: 'finished', hostId: ben.user.id });
  });

  it('succeeds if it is requested many times at once', async ({ user }) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(user)));
    for (const { status } of answers) expect([200, 401]).toContain(status);
    expect(await exists(user.id)).toBe(false);
  });
});

describe('a deletion that a crash has interrupted', () => {
  it('is finished by the worker if it was recorded', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    await gather([ada, ben]);
    await noteDeletion(arena.services.db, ben.user.id);
    await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
    await eventually(async () => expect(await exists(ben.user.id)).toBe(false));
  });

  it('is announced to the other players if the user’s place was removed already', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    await gather([ada, ben]);
    await noteDeletion(arena.services.db, ben.user.id);
    await removePlayers(arena.services.postgres, lobbyIdOf(ada), [ben.user.id], []);
    await finishDeletions(arena.services);
    await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
    expect(await exists(ben.user.id)).toBe(false);
  });

  it('has its record removed after a day', async ({ user }) => {
    await remove(user);
    const where = { userId: user.id };
    expect(await arena.services.db.userDeletion.count({ where })).toBe(1);
    const requestedAt = new Date(Date.now() - 25 * 3600 * 1000);
    await arena.services.db.userDeletion.updateMany({ where, data: { requestedAt } });
    await finishDeletions(arena.services);
    expect(await arena.services.db.userDeletion.count({ where })).toBe(0);
  });
});

describe('npm run operate', () => {
  it('signs out everywhere, on every replica at once', async ({ user }) => {
    const elsewhere = await signIn(arena.services, user.id);
    expect(await operate(arena.stores, 'sign-out', user.email.toUpperCase())).toMatchObject({ code: 0 });
    await areSignedOut(user.cookie, elsewhere);
    expect(await exists(user.id)).toBe(true);
  });

  it('deletes an account like its owner', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    await gather([ada, ben]);
    expect(await operate(arena.stores, 'delete', ben.user.email)).toMatchObject({ code: 0 });
    await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
    expect(await exists(ben.user.id)).toBe(false);
  });
});
