// A guest plays with a name alone, and is removed without a session. A guest's games, lists and learned words go to the
// account at the first sign-in with the guest's cookie. [contract 11]
import { randomUUID } from 'node:crypto';
import { it as base, describe, expect, onTestFinished } from 'vitest';
import { removeGuests } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import { removeExpired } from '../../worker/remove-expired.ts';
import { signIn as enter, PASSWORD } from '../support/accounts.ts';
import { storeGame } from '../support/exports.ts';
import { useGuests } from '../support/guests.ts';
import { codeOf, createHttpClient } from '../support/http-client.ts';
import { storeList } from '../support/lists.ts';
import { playerOf } from '../support/player.ts';
import { enableSecondFactor, sendCode } from '../support/second-factor.ts';
import { startService } from '../support/service.ts';
import { makeSessionOld } from '../support/users.ts';

const LIMIT = 60;

const guests = useGuests({ RATE_LIMIT_GUEST_MAX: String(LIMIT) });
const { services, url, ask, guest, account, signIn, play } = guests;
const it = base
  .extend('ada', () => guest('Ada'))
  .extend('ben', () => guest('Ben'))
  .extend('user', () => account());

describe('a guest', () => {
  it('has a name and a session, plays alone, hosts and joins like any user', async ({ ada: host, ben: other }) => {
    const asked = await ask({ name: '  Zoë 🧑‍🎓 ' });
    const user = { id: expect.any(String), name: 'Zoë 🧑‍🎓', isGuest: true };
    expect(asked).toMatchObject({ status: 201, body: { user } });
    expect(asked.headers.get('cache-control')).toContain('no-store');
    expect((await asked.client.at(url(1)).post('/api/v1/game/start', {})).status).toBe(201);
    const gameId = await play([host, other]);
    const { body } = await other.http.get(`/api/v1/games/${gameId}`);
    expect(body).toMatchObject({ winnerIds: [host.user.id] });
  });

  it('with a valid session is replaced by a new one, and that session ends', async () => {
    const { client, body } = await ask({ name: 'Ada' });
    const before = client.cookie();
    const again = await ask({ name: 'Ada' }, client);
    expect(again.status).toBe(201);
    expect(again.body.user.id).not.toBe(body.user.id);
    const userOf = (cookie: string) => services().userSessions.findUser({ cookie });
    expect(await userOf(before)).toBeNull();
    expect(await userOf(client.cookie())).toMatchObject({ id: again.body.user.id });
  });

  it('has a name that follows the rules for names', async () => {
    for (const body of [{ name: '' }, { name: 'see www.x.org' }, { name: 'a\u202Eb' }, { name: 7 }])
      expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    const { body } = await ask({ name: '' });
    expect(body.errors).toEqual([{ path: 'name', message: expect.stringMatching(/^The name must have 1 to/) }]);
  });

  it('gets no other sign-in than an account, and can be deleted', async ({ ada: { http, user } }) => {
    for (const path of ['/two-factor/enable', '/link-social']) {
      const refused = await http.post(`/api/auth${path}`, { password: PASSWORD, provider: 'google' });
      expect(refused).toMatchObject({ status: 403, body: { code: 'ACCOUNT_REQUIRED' } });
    }
    await makeSessionOld(services(), user);
    expect(await http.post('/api/auth/delete-user', {})).toMatchObject({ status: 200 });
    expect(await services().db.user.count({ where: { id: user.id } })).toBe(0);
  });

  it('is created neither by better-auth’s own endpoints nor while GUESTS is off', async () => {
    const client = createHttpClient(url());
    for (const path of ['/sign-in/anonymous', '/delete-anonymous-user'])
      expect((await client.post(`/api/auth${path}`, {})).status).toBe(404);
    const withoutGuests = await startService(guests.arena.stores);
    onTestFinished(() => withoutGuests.stop());
    for (const method of ['POST', 'GET']) {
      const refused = await createHttpClient(withoutGuests.url).request(method, '/api/v1/guests');
      expect(codeOf(refused)).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  });

  it('is refused in the order 404, 405, 403, 429, 415 and 400, and a class behind one address gets in', async () => {
    const client = createHttpClient(url());
    const from = { 'x-forwarded-for': '198.51.100.1' };
    const status = async (init: RequestInit & { headers: Record<string, string> }) =>
      (await client.request('POST', '/api/v1/guests', init)).status;
    expect((await client.get('/api/v1/guests')).status).toBe(405);
    const forged = { ...from, origin: 'https://evil.example', 'content-type': 'text/plain' };
    const plain = { ...from, 'content-type': 'text/plain' };
    expect(await status({ headers: forged, body: 'x' })).toBe(403);
    for (let i = 0; i < LIMIT; i++) {
      const made = await createHttpClient(url(i % 2)).post('/api/v1/guests', { name: `P${i}` }, from);
      expect(made.status).toBe(201);
    }
    expect(await status({ headers: forged, body: 'x' })).toBe(403);
    expect(await status({ headers: plain, body: 'x' })).toBe(429);
    const elsewhere = { ...plain, 'x-forwarded-for': '198.51.100.2' };
    expect(await status({ headers: elsewhere, body: 'x' })).toBe(415);
  });
});

it('a guest without a session is removed by the worker, and results still show the name; one with a session stays', async () => {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  const gameId = await play([ada, ben]);
  const ids = [ada.user.id, ben.user.id];
  const createdAt = new Date(Date.now() - 8 * 864e5);
  await services().db.user.updateMany({ where: { id: { in: ids } }, data: { createdAt } });
  expect((await ada.http.post('/api/auth/sign-out', {})).status).toBe(200);
  await removeExpired(services());
  await removeGuests(services());
  expect(await services().db.user.findMany({ where: { id: { in: ids } } })).toMatchObject([{ id: ben.user.id }]);
  expect(JSON.stringify((await ben.http.get(`/api/v1/games/${gameId}`)).body)).toContain('"Ada"');
});

describe('the first sign-in with the guest’s cookie', () => {
  it('hands stored games and lists over to the account, and ends the guest’s session', async ({ ada, ben, user }) => {
    const gameId = await play([ada, ben]);
    await storeList(ada.http, { name: 'Numbers' });
    const client = await signIn(user, ada);
    const game = await client.get(`/api/v1/games/${gameId}`);
    expect(game).toMatchObject({ status: 200, body: { winnerIds: [user.id] } });
    expect(JSON.stringify(game.body)).not.toContain(ada.user.id);
    expect(JSON.stringify(game.body.rounds)).toContain(user.id);
    expect((await client.get('/api/v1/lists')).body.lists).toMatchObject([{ name: 'Numbers' }]);
    expect((await ada.http.get('/api/v1/lists')).status).toBe(401);
  });

  it('hands over to the account whose second factor was asked for, and to no next user’s', async ({ ada, ben }) => {
    const gameId = await play([ada, ben]);
    const [own, next] = [await account(), await account()];
    const withCookies = (cookie: string) => createHttpClient(url(), { cookie });
    const { secret } = await enableSecondFactor(withCookies(own.cookie));
    const waiting = await signIn(own, ada);

    const browser = withCookies(waiting.cookie());
    expect((await enter(browser, next.email)).status).toBe(200);
    expect((await browser.get(`/api/v1/games/${gameId}`)).status).toBe(404);

    expect((await sendCode(waiting, secret)).status).toBe(200);
    expect((await waiting.get(`/api/v1/games/${gameId}`)).body.winnerIds).toEqual([own.id]);
  });

  it('leaves a game that both have played as it is, and changes nothing if repeated', async ({ ada, ben, user }) => {
    const both = await play([ada, playerOf(user, url())]);
    const own = await play([ada, ben]);
    const gamesOf = async () =>
      services().db.gameScore.findMany({
        where: { gameId: { in: [both, own] }, userId: { in: [ada.user.id, user.id] } },
        orderBy: { userId: 'asc' },
        select: { gameId: true, userId: true },
      });
    await signIn(user, ada);
    const after = await gamesOf();
    expect(after).toHaveLength(3);
    expect(after).toContainEqual({ gameId: both, userId: ada.user.id });
    expect(after).toContainEqual({ gameId: own, userId: user.id });
    await Promise.all([1, 2].map(() => handOver(services().db, ada.user.id, user.id)));
    expect(await gamesOf()).toEqual(after);
  });

  it('hands over one of two guests of a game who sign in to one account at once', async ({ user }) => {
    const { db } = services();
    const pairs = Array.from({ length: 10 }, () => [{ id: randomUUID() }, { id: randomUUID() }]);
    const gameIds = await Promise.all(pairs.map((guests) => storeGame(db, guests)));
    await Promise.all(pairs.flat().map(({ id }) => handOver(db, id, user.id)));
    const own = await db.gameScore.findMany({ where: { userId: user.id } });
    expect(own.map(({ gameId }) => gameId).toSorted()).toEqual(gameIds.toSorted());
  });

  it('hands over the games of which the guest was only the host at the end', async ({ ada, user }) => {
    const gameId = await storeGame(services().db, [{ id: randomUUID() }], { hostId: ada.user.id });
    const client = await signIn(user, ada);
    expect((await client.get(`/api/v1/games/${gameId}`)).status).toBe(200);
  });

  it('hands over nothing from an account whose cookie it comes with', async () => {
    const [one, other] = [await account(), await account()];
    const gameId = await play([playerOf(one, url()), await guest('Ben')]);
    const client = await signIn(other, playerOf(one, url()));
    expect((await client.get(`/api/v1/games/${gameId}`)).status).toBe(404);
  });
});
