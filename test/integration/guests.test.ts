// Guests: to play by a name alone, and to take what one has played along into an account. [contract 11]
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeGuests } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import type { Services } from '../../src/services.ts';
import { removeExpired } from '../../worker/remove-expired.ts';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer } from '../support/game.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { type Player, playerOf } from '../support/player.ts';
import { startService, type TestService } from '../support/service.ts';
import { totpCode } from '../support/totp.ts';
import { createSignedInUser, givePassword, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';
const LIMIT = 60;

let arena: Arena;
let services: Services;
let off: TestService;

beforeAll(async () => {
  const env = { GUESTS: 'true', RATE_LIMIT_GUEST_MAX: String(LIMIT), ROUND_DURATION_MS: '60000' };
  arena = await startArena({ env: { ...env, TRUST_PROXY: 'loopback' } });
  services = (arena.replicas[0] as TestService).services;
  off = await startService(arena.stores);
});
afterAll(async () => {
  await off.stop();
  await arena.stop();
});

const url = (replica = 0) => arena.replicas[replica]?.url as string;
let addresses = 0;

/** Asks for a guest, from an address of its own. */
async function ask(body: object, client = createHttpClient(url())) {
  const from = { 'x-forwarded-for': `203.0.113.${++addresses}` };
  return { client, ...(await client.post('/api/v1/guests', body, from)) };
}

async function guest(name: string): Promise<Player> {
  const { client, body } = await ask({ name });
  const user: TestUser = { ...body.user, email: '', cookie: client.cookie() };
  return playerOf(user, url());
}

/** An account that can sign in by password. */
async function account(): Promise<TestUser> {
  const user = await createSignedInUser(services);
  await givePassword(services, user.id, PASSWORD);
  return user;
}

/** Signs in with the cookies that somebody has. */
async function signIn({ email }: TestUser, { user }: Player): Promise<HttpClient> {
  const client = createHttpClient(url(), { cookie: user.cookie });
  const answered = await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  expect(answered.status).toBe(200);
  return client;
}

/** The first of them hosts; who is named first wins. @returns the id of a finished game of one round */
async function play(who: Player[]): Promise<string> {
  // Clients that have seen no other game.
  const players = who.map(({ user }) => playerOf(user, url()));
  const [host, ...others] = players as [Player, ...Player[]];
  const { body } = await host.http.post('/api/v1/lobbies', { settings: { rounds: 1 } });
  for (const { http } of others)
    expect((await http.post(`/api/v1/lobbies/${body.code}/join`)).status).toBe(200);
  for (const player of players) {
    await player.connect();
    player.send({ type: 'lobby:join', code: body.code });
    await player.next('lobby:state', ({ lobby }) => lobby.players.length === players.length);
  }
  host.send({ type: 'lobby:start' });
  await answer(arena, host, 1, 'right');
  for (const other of others) await answer(arena, other, 1, 'wrong');
  return (await host.next('game:finished')).gameId;
}

describe('a guest', () => {
  it('is a user of a name and a session, who plays alone, hosts and joins like anybody', async () => {
    const asked = await ask({ name: '  Zoë 🧑‍🎓 ' });
    const user = { id: expect.any(String), name: 'Zoë 🧑‍🎓', isGuest: true };
    expect(asked).toMatchObject({ status: 201, body: { user } });
    expect(asked.headers.get('cache-control')).toContain('no-store');
    const quiz = await asked.client.at(url(1)).post('/api/v1/game/start', {});
    expect(quiz.status).toBe(201);
    const [host, other] = [await guest('Ada'), await guest('Ben')];
    const gameId = await play([host, other]);
    const { body } = await other.http.get(`/api/v1/games/${gameId}`);
    expect(body).toMatchObject({ winnerIds: [host.user.id] });
  });

  it('with a valid session is a new one all the same, and that session ends', async () => {
    const { client, body } = await ask({ name: 'Ada' });
    const before = client.cookie();
    const again = await ask({ name: 'Ada' }, client);
    expect(again.status).toBe(201);
    expect(again.body.user.id).not.toBe(body.user.id);
    expect(await services.userSessions.findUser({ cookie: before })).toBeNull();
    expect(await services.userSessions.findUser({ cookie: client.cookie() })).toMatchObject({
      id: again.body.user.id,
    });
  });

  it('needs a name that anybody may have', async () => {
    for (const body of [
      {},
      { name: '' },
      { name: 'see www.x.org' },
      { name: 'a\u202Eb' },
      { name: 7 },
    ])
      expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('gets no way back in but an account, and can go', async () => {
    const { http, user } = await guest('Ada');
    for (const path of ['/two-factor/enable', '/link-social']) {
      const refused = await http.post(`/api/auth${path}`, {
        password: PASSWORD,
        provider: 'google',
      });
      expect(refused).toMatchObject({ status: 403, body: { code: 'ACCOUNT_REQUIRED' } });
    }
    await services.db.session.updateMany({
      where: { userId: user.id },
      data: { createdAt: new Date(Date.now() - 3600_000) },
    });
    expect(await http.post('/api/auth/delete-user', {})).toMatchObject({ status: 200 });
    expect(await services.db.user.count({ where: { id: user.id } })).toBe(0);
  });

  it('is not to be had by the library’s own ways, nor where GUESTS is off', async () => {
    const client = createHttpClient(url());
    for (const path of ['/sign-in/anonymous', '/delete-anonymous-user'])
      expect((await client.post(`/api/auth${path}`, {})).status).toBe(404);
    for (const method of ['POST', 'GET'])
      expect(await createHttpClient(off.url).request(method, '/api/v1/guests')).toMatchObject({
        status: 404,
        body: { code: 'ROUTE_NOT_FOUND' },
      });
  });

  it('is refused in the order 404, 405, 403, 429, 415 and 400; a class behind one address gets in', async () => {
    const client = createHttpClient(url());
    const from = { 'x-forwarded-for': '198.51.100.1' };
    const status = async (init: RequestInit & { headers: Record<string, string> }) =>
      (await client.request('POST', '/api/v1/guests', init)).status;
    expect((await client.get('/api/v1/guests')).status).toBe(405);
    const forged = { ...from, origin: 'https://evil.example', 'content-type': 'text/plain' };
    const plain = { ...from, 'content-type': 'text/plain' };
    expect(await status({ headers: forged, body: 'x' })).toBe(403);
    for (let i = 0; i < LIMIT; i++) {
      const made = await createHttpClient(url(i % 2)).post(
        '/api/v1/guests',
        { name: `P${i}` },
        from,
      );
      expect(made.status).toBe(201);
    }
    expect(await status({ headers: forged, body: 'x' })).toBe(403);
    expect(await status({ headers: plain, body: 'x' })).toBe(429);
    const elsewhere = { ...plain, 'x-forwarded-for': '198.51.100.2' };
    expect(await status({ headers: elsewhere, body: 'x' })).toBe(415);
  });
});

describe('the first sign-in with the guest’s cookie', () => {
  it('makes stored games and lists the account’s, and ends the guest’s session', async () => {
    const [ada, ben] = [await guest('Ada'), await guest('Ben')];
    const gameId = await play([ada, ben]);
    const terms = ['uno', 'due', 'tre', 'quattro'].map((targetText, i) => ({
      sourceText: ['one', 'two', 'three', 'four'][i],
      targetText,
    }));
    const words = { name: 'Numbers', sourceLanguage: 'en', targetLanguage: 'it', terms };
    expect((await ada.http.post('/api/v1/lists', words)).status).toBe(201);

    const user = await account();
    const client = await signIn(user, ada);
    const game = await client.get(`/api/v1/games/${gameId}`);
    expect(game).toMatchObject({ status: 200, body: { winnerIds: [user.id] } });
    expect(JSON.stringify(game.body)).not.toContain(ada.user.id);
    expect(JSON.stringify(game.body.rounds)).toContain(user.id);
    expect((await client.get('/api/v1/lists')).body.lists).toMatchObject([{ name: 'Numbers' }]);
    expect((await ada.http.get('/api/v1/lists')).status).toBe(401);
  });

  it('makes what is known of words the account’s; of a word that both know, the last counts', async () => {
    const [ada, user] = [await guest('Ada'), await account()];
    const learn = async (who: HttpClient, times: number) => {
      const { body } = await who.post('/api/v1/game/start', { questionCount: times });
      const { sessionId, questions } = body;
      for (const { questionId } of questions)
        await who.post('/api/v1/game/answer', { sessionId, questionId, optionId: 0 });
    };
    const reviewsOf = async (who: HttpClient) => {
      return (await who.get('/api/v1/progress')).body.reviewedToday as number;
    };
    const own = createHttpClient(url(), { cookie: user.cookie });
    await learn(own, 2);
    await learn(ada.http, 5);
    await eventually(async () => {
      expect([await reviewsOf(own), await reviewsOf(ada.http)]).toEqual([2, 5]);
    });
    const wordsOf = (ids: string[]) =>
      services.db.learnedWord.findMany({
        where: { userId: { in: ids } },
        orderBy: [{ word: 'asc' }, { reviewedAt: 'asc' }],
      });
    const before = await wordsOf([user.id, ada.user.id]);
    const client = await signIn(user, ada);
    expect(await reviewsOf(client)).toBe(7);
    const last = new Map(before.map(({ word, reviewedAt }) => [word, reviewedAt]));
    const after = await wordsOf([user.id]);
    expect(new Map(after.map(({ word, reviewedAt }) => [word, reviewedAt]))).toEqual(last);
  });

  it('does so after the second factor too', async () => {
    const ada = await guest('Ada');
    const gameId = await play([ada, await guest('Ben')]);
    const user = await account();
    const own = createHttpClient(url(), { cookie: user.cookie });
    const { body } = await own.post('/api/auth/two-factor/enable', { password: PASSWORD });
    const secret = new URL(body.totpURI).searchParams.get('secret') ?? '';
    const verify = (client: HttpClient) =>
      client.post('/api/auth/two-factor/verify-totp', { code: totpCode(secret) });
    expect((await verify(own)).status).toBe(200);

    const client = await signIn(user, ada);
    expect((await client.get(`/api/v1/games/${gameId}`)).status).toBe(401);
    expect((await verify(client)).status).toBe(200);
    expect(await client.get(`/api/v1/games/${gameId}`)).toMatchObject({
      status: 200,
      body: { winnerIds: [user.id] },
    });
    expect(client.cookie()).not.toContain('guest');
  });

  it('leaves a game in which both were as it is, and repeated changes nothing', async () => {
    const user = await account();
    const [ada, self] = [await guest('Ada'), playerOf(user, url())];
    const both = await play([ada, self]);
    const own = await play([ada, await guest('Ben')]);
    const gamesOf = async () =>
      services.db.gameScore.findMany({
        where: { gameId: { in: [both, own] }, userId: { in: [ada.user.id, user.id] } },
        orderBy: { userId: 'asc' },
        select: { gameId: true, userId: true },
      });
    await signIn(user, ada);
    const after = await gamesOf();
    expect(after).toHaveLength(3);
    expect(after).toContainEqual({ gameId: both, userId: ada.user.id });
    expect(after).toContainEqual({ gameId: own, userId: user.id });
    await Promise.all([1, 2].map(() => handOver(services.db, ada.user.id, user.id)));
    expect(await gamesOf()).toEqual(after);
  });

  it('takes nothing from an account whose cookie it comes with', async () => {
    const [one, other] = [await account(), await account()];
    const gameId = await play([playerOf(one, url()), await guest('Ben')]);
    const client = await signIn(other, playerOf(one, url()));
    expect((await client.get(`/api/v1/games/${gameId}`)).status).toBe(404);
  });
});

describe('a guest without a valid session', () => {
  const age = (id: string) =>
    services.db.user.update({
      where: { id },
      data: { createdAt: new Date(Date.now() - 8 * 864e5) },
    });

  it('is removed by the worker, and results keep the name; who has one stays', async () => {
    const [ada, ben] = [await guest('Ada'), await guest('Ben')];
    const gameId = await play([ada, ben]);
    for (const { user } of [ada, ben]) await age(user.id);
    expect((await ada.http.post('/api/auth/sign-out', {})).status).toBe(200);
    await removeExpired(services);
    await removeGuests(services);
    expect(await services.db.user.count({ where: { id: ada.user.id } })).toBe(0);
    expect(await services.db.user.count({ where: { id: ben.user.id } })).toBe(1);
    const { body } = await ben.http.get(`/api/v1/games/${gameId}`);
    expect(JSON.stringify(body)).toContain('"Ada"');
  });
});
