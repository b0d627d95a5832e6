// The account page reads the account by one operation, and signs devices out. [contract 25]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PASSWORD } from '../support/accounts.ts';
import { useGuests } from '../support/guests.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createPerson, sessionTokenOf, signIn } from '../support/users.ts';

const PATH = '/api/v1/account';
const { arena, services, url, ask } = useGuests();
const browser = (cookie: string, replica = 0) => createHttpClient(url(replica), { cookie, origin: url(0) });
const statusesOf = async (cookie: string) => [
  (await browser(cookie).get(PATH)).status,
  (await browser(cookie, 1).get(PATH)).status,
];

describe('GET /api/v1/account', () => {
  test('has what the account page shows, without tokens, and counts for the game limiter alone', async () => {
    const { db, redis } = services();
    const { user, client } = await createPerson(arena.replicas[0], { password: PASSWORD });
    const passkey = { userId: user.id, name: 'Phone', publicKey: 'k', credentialID: randomUUID(), counter: 0 };
    const { id: passkeyId } = await db.passkey.create({
      data: { ...passkey, deviceType: 'singleDevice', backedUp: false },
    });
    const device = { userAgent: 'Firefox', ipAddress: '203.0.113.7' };
    await db.session.updateMany({ where: { userId: user.id }, data: device });
    const later = await signIn(services(), user.id);
    await db.session.create({ data: { userId: user.id, token: randomUUID(), expiresAt: new Date(0) } });
    const keysOfAuth = await redis.keys('limit:auth:*');
    const { status, body } = await client.get(PATH, { 'accept-language': 'it-CH,it' });
    expect(await redis.keys('limit:auth:*')).toEqual(keysOfAuth);
    expect(await redis.get(`limit:game:${user.id}`)).toBe('1');
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
    const sessionId = expect.stringMatching(/^[\da-f-]{36}$/);
    const times = { createdAt: time, updatedAt: time };
    const { cookie, ...known } = user;
    expect(status).toBe(200);
    expect(body).toEqual({
      user: { ...known, emailVerified: true, isGuest: false, createdAt: time, language: 'it' },
      sessions: [
        { sessionId, current: true, ...times, userAgent: 'Firefox', address: '203.0.113.7' },
        { sessionId, current: false, ...times, userAgent: null, address: null },
      ],
      providers: ['credential'],
      passkeys: [{ passkeyId, name: 'Phone', createdAt: time }],
      secondFactor: false,
    });
    for (const one of [cookie, later]) expect(JSON.stringify(body)).not.toContain(sessionTokenOf(one));
  });

  test('is for guests too, who have no address', async () => {
    const { client, body } = await ask({ name: 'Ben' });
    const { user, sessions, providers } = (await client.get(PATH)).body;
    expect(user).toMatchObject({ id: body.user.id, name: 'Ben', email: null, emailVerified: false, isGuest: true });
    expect([sessions.length, sessions[0].current, providers]).toEqual([1, true, []]);
  });
});

test('PATCH /api/v1/account sets the language, and nothing else', async () => {
  const { client } = await createPerson(arena.replicas[0]);
  const { body: before } = await client.get(PATH);
  const { status, body } = await client.patch(PATH, { language: 'fr' });
  expect({ status, body }).toEqual({ status: 200, body: { ...before, user: { ...before.user, language: 'fr' } } });
  expect((await client.get(PATH)).body).toEqual(body);
  for (const wrong of [{}, { language: 'fi' }, { language: null }, { language: 'de', name: 'x' }])
    expect((await client.patch(PATH, wrong)).status).toBe(400);
});

test('DELETE /api/v1/account/sessions/:sessionId ends one session of the caller on every replica, the own one too, and no session of others', async () => {
  const { user, client } = await createPerson(arena.replicas[0]);
  const phone = await signIn(services(), user.id);
  const remove = (id: string, by = client) => by.delete(`${PATH}/sessions/${id}`);
  const { client: stranger } = await createPerson(arena.replicas[0]);
  const [own, other] = (await client.get(PATH)).body.sessions.map(({ sessionId }: { sessionId: string }) => sessionId);
  expect((await remove(other, stranger)).status).toBe(204);
  expect((await remove(randomUUID())).status).toBe(204);
  expect((await remove('mia')).status).toBe(400);
  const elsewhere = createHttpClient(url(0), { cookie: user.cookie, origin: 'https://elsewhere.example' });
  expect((await remove(other, elsewhere)).body.code).toBe('FORBIDDEN_ORIGIN');
  expect((await elsewhere.patch(PATH, { language: 'fr' })).body.code).toBe('FORBIDDEN_ORIGIN');
  expect(await statusesOf(phone)).toEqual([200, 200]);
  expect((await remove(other)).status).toBe(204);
  expect([await statusesOf(phone), await statusesOf(user.cookie)]).toEqual([
    [401, 401],
    [200, 200],
  ]);
  expect((await remove(own)).status).toBe(204);
  expect(await statusesOf(user.cookie)).toEqual([401, 401]);
});
