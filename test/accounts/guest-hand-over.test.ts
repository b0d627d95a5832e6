// A guest's games, lists and learned words go to the account at the first sign-in with the guest's cookie.
// [contract 11]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handOver } from '../../src/accounts/hand-over.ts';
import { storeGame } from '../support/exports.ts';
import { PASSWORD, useGuests } from '../support/guests.ts';
import { createHttpClient } from '../support/http-client.ts';
import { playerOf } from '../support/player.ts';
import { enableSecondFactor, totpCode } from '../support/second-factor.ts';

const { services, url, guest, account, signIn, play } = useGuests();

describe('the first sign-in with the guest’s cookie', () => {
  it('hands stored games and lists over to the account, and ends the guest’s session', async () => {
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

  it('hands over to the account whose second factor was asked for, and to no next user’s', async () => {
    const ada = await guest('Ada');
    const gameId = await play([ada, await guest('Ben')]);
    const [own, next] = [await account(), await account()];
    const withCookies = (cookie: string) => createHttpClient(url(), { cookie });
    const { secret } = await enableSecondFactor(withCookies(own.cookie), PASSWORD);
    const waiting = await signIn(own, ada);

    const browser = withCookies(waiting.cookie());
    const credentials = { email: next.email, password: PASSWORD };
    expect((await browser.post('/api/auth/sign-in/email', credentials)).status).toBe(200);
    expect((await browser.get(`/api/v1/games/${gameId}`)).status).toBe(404);

    const code = { code: totpCode(secret) };
    expect((await waiting.post('/api/auth/two-factor/verify-totp', code)).status).toBe(200);
    expect((await waiting.get(`/api/v1/games/${gameId}`)).body.winnerIds).toEqual([own.id]);
  });

  it('leaves a game that both have played as it is, and changes nothing if repeated', async () => {
    const user = await account();
    const [ada, self] = [await guest('Ada'), playerOf(user, url())];
    const both = await play([ada, self]);
    const own = await play([ada, await guest('Ben')]);
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

  describe('of stored games', () => {
    it('hands over one of two guests of a game who sign in to one account at once', async () => {
      const { db } = services();
      const user = await account();
      const pairs = Array.from({ length: 10 }, () => [{ id: randomUUID() }, { id: randomUUID() }]);
      const gameIds = await Promise.all(pairs.map((guests) => storeGame(db, guests)));
      await Promise.all(pairs.flat().map(({ id }) => handOver(db, id, user.id)));
      const own = await db.gameScore.findMany({ where: { userId: user.id } });
      expect(own.map(({ gameId }) => gameId).toSorted()).toEqual(gameIds.toSorted());
    });

    it('hands over those of which the guest was only the host at the end', async () => {
      const [ada, user] = [await guest('Ada'), await account()];
      const others = [{ id: randomUUID() }];
      const gameId = await storeGame(services().db, others, { hostId: ada.user.id });
      const client = await signIn(user, ada);
      expect((await client.get(`/api/v1/games/${gameId}`)).status).toBe(200);
    });
  });

  it('hands over nothing from an account whose cookie it comes with', async () => {
    const [one, other] = [await account(), await account()];
    const gameId = await play([playerOf(one, url()), await guest('Ben')]);
    const client = await signIn(other, playerOf(one, url()));
    expect((await client.get(`/api/v1/games/${gameId}`)).status).toBe(404);
  });
});
