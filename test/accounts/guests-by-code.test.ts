// A class comes to a lobby by its code: guests are counted for the lobby, and need not name themselves. [contract 22]
import { it as base, describe, expect } from 'vitest';
import type { Assignment } from '../../src/assignments/schema.ts';
import { NAME_WORDS } from '../../src/names/friendly-name.ts';
import { useGuests } from '../support/guests.ts';
import { ASSIGNMENTS, inMs } from '../support/homework.ts';
import { createHttpClient, type HttpResponse } from '../support/http-client.ts';
import { listOf, storeList } from '../support/lists.ts';
import type { Player } from '../support/player.ts';
import { createPerson } from '../support/users.ts';

/** One address may make so many guests without a code, and wrong codes. */
const LIMIT = 3;
const NOT_FOUND = { status: 404, body: { code: 'LOBBY_NOT_FOUND' } };
const REFUSED = { status: 429, body: { code: 'RATE_LIMITED' } };

const guests = useGuests({ RATE_LIMIT_GUEST_MAX: String(LIMIT), RATE_LIMIT_CODE_MISS_MAX: '1' });
const { url, guest, services } = guests;
let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;
const it = base
  .extend('address', newAddress)
  .extend('host', () => guest('Host'))
  /** The code of a lobby that can be joined. */
  .extend('code', ({ host }) => lobbyOf(host));
/** @returns a code as people may write it */
const written = (code: string) => `${code.slice(0, 3)}-${code.slice(3).toLowerCase()}`;

/** Sends a request from an address. @param replica by turns, so that both count */
let sent = 0;
const askFrom = (address: string, body: object, headers = {}): Promise<HttpResponse> =>
  createHttpClient(url(sent++ % 2)).post('/api/v1/guests', body, { 'x-forwarded-for': address, ...headers });

async function lobbyOf(host: Player, body: object = {}): Promise<string> {
  const { body: lobby } = await host.http.post('/api/v1/lobbies', body);
  return lobby.code;
}

/** Makes an assignment, open for an hour, of a teacher with an account. */
async function assign() {
  const { user, client: teacher } = await createPerson(guests.arena.replicas[0]);
  const { status, body } = await teacher.post(ASSIGNMENTS, { title: 'Unit 1', closesAt: inMs(3_600_000) });
  expect(status).toBe(201);
  return { user, teacher, assignment: body as Assignment };
}

const statuses = (replies: HttpResponse[]) => replies.map(({ status }) => status).sort();

describe('a guest with the code of a lobby that can be joined', () => {
  it('counts for the lobby before the address: twice its places in a window and address, over all replicas', async () => {
    const host = await guest('Host');
    const [code, other] = [await lobbyOf(host, { capacity: 3 }), await lobbyOf(host)];
    const [address, elsewhere] = [newAddress(), newAddress()];
    for (let at = 0; at < LIMIT; at++) await askFrom(address, { name: 'Ada' });
    expect(await askFrom(address, { name: 'Ada' })).toMatchObject(REFUSED);
    const class8 = (from: string) =>
      Promise.all(Array.from({ length: 8 }, () => askFrom(from, { name: 'Ben', code: written(code) })));
    const replies = await class8(address);
    expect(statuses(replies)).toEqual([...Array(6).fill(201), 429, 429]);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.headers.get('ratelimit-limit')).toBe(`${LIMIT}`);
    expect(statuses(await class8(elsewhere))).toEqual(Array(8).fill(201));
    expect((await askFrom(address, { name: 'Ben', code: other })).status).toBe(201);
  });

  it('is a guest like any other beyond these, who counts for the address and stores lists', async ({ host }) => {
    const code = await lobbyOf(host, { capacity: 2 });
    const address = newAddress();
    const outcomes: number[] = [];
    for (let at = 0; at < 4 + LIMIT; at++) {
      const client = createHttpClient(url());
      expect((await client.post('/api/v1/guests', { code }, { 'x-forwarded-for': address })).status).toBe(201);
      outcomes.push((await client.post('/api/v1/lists', listOf())).status);
    }
    expect(outcomes).toEqual([...Array(4).fill(403), ...Array(LIMIT).fill(201)]);
    for (const body of [{ code }, {}]) expect(await askFrom(address, body)).toMatchObject(REFUSED);
  });

  it('counts for the address too, 2000 a window in all', async ({ address, code }) => {
    await services().redis.set(`limit:invited_address:${address}`, 1999, 'PX', 60_000);
    expect((await askFrom(address, { code })).status).toBe(201);
    const refused = await askFrom(address, { code });
    expect(refused).toMatchObject(REFUSED);
    expect(refused.body.detail).toContain('your network');
    expect((await askFrom(newAddress(), { code })).status).toBe(201);
  });

  it('gets 404 for every other code, which counts for the address', async ({ address, host, code: open }) => {
    const full = await lobbyOf(host, { capacity: 2 });
    const ben = await guest('Ben');
    await ben.http.post(`/api/v1/lobbies/${full}/join`);
    for (const code of [full, 'ZZZZZZ', 'no code at all', ''].slice(0, LIMIT))
      expect(await askFrom(address, { name: 'Ada', code })).toMatchObject(NOT_FOUND);
    expect(await askFrom(address, { name: 'Ada', code: 'ZZZZZZ' })).toMatchObject(REFUSED);
    expect(await askFrom(address, { name: 'Ada' })).toMatchObject(REFUSED);
    expect((await askFrom(address, { name: 'Ada', code: open })).status).toBe(201);
  });

  it('may come to an open assignment in the same way', async ({ address }) => {
    const { teacher, assignment } = await assign();
    const { code, assignmentId } = assignment;
    for (let at = 0; at <= LIMIT; at++) expect((await askFrom(address, { code })).status).toBe(201);
    const key = `limit:invited:${assignmentId}:${address}`;
    await services().redis.set(key, 299, 'PX', 60_000);
    for (let at = 0; at <= LIMIT; at++) expect((await askFrom(address, { code })).status).toBe(201);
    expect(await askFrom(address, { code })).toMatchObject(REFUSED);
    expect((await askFrom(newAddress(), { code })).status).toBe(201);
    expect(await teacher.patch(`${ASSIGNMENTS}/${code}`, { closesAt: inMs(0) })).toMatchObject({ status: 200 });
    expect(await askFrom(newAddress(), { code })).toMatchObject(NOT_FOUND);
  });
});

describe('[contract 22] GET /api/v1/invitations/:code', () => {
  const lookUp = (address: string, code: string): Promise<HttpResponse> =>
    createHttpClient(url(sent++ % 2)).get(`/api/v1/invitations/${encodeURIComponent(code)}`, {
      'x-forwarded-for': address,
    });

  it('says what a code admits to, or why it does not, and nothing else, and counts no guest', async ({ host }) => {
    const address = newAddress();
    const code = await lobbyOf(host, { capacity: 2 });
    for (let at = 0; at <= 2 * LIMIT; at++) expect(await lookUp(address, written(code))).toMatchObject({ status: 200 });
    expect((await lookUp(address, code)).body).toEqual({ kind: 'lobby', names: 'any' });
    expect((await askFrom(address, { code })).status).toBe(201);
    const ben = await guest('Ben');
    await ben.http.post(`/api/v1/lobbies/${code}/join`);
    const isRefused = async (refusal: string, data: object) => {
      await services().db.lobby.update({ where: { code }, data });
      expect((await lookUp(address, code)).body).toEqual({ kind: 'lobby', names: 'any', refusal });
    };
    await isRefused('LOBBY_FULL', {});
    await isRefused('LOBBY_LOCKED', { locked: true });
    await isRefused('LOBBY_NOT_WAITING', { status: 'running' });
    await services().db.lobby.delete({ where: { code } });
    expect(await lookUp(address, code)).toMatchObject(NOT_FOUND);
  });

  it('tells the title, the owner and the times of an assignment, and whether it is open', async ({ address }) => {
    const { user, assignment } = await assign();
    const { code, opensAt, closesAt } = assignment;
    const told = { kind: 'assignment', title: 'Unit 1', ownerName: user.name, opensAt, closesAt };
    expect((await lookUp(address, code)).body).toEqual(told);
    const isRefused = async (refusal: string, data: object) => {
      await services().db.assignment.update({ where: { code }, data });
      expect((await lookUp(address, code)).body).toMatchObject({ title: 'Unit 1', refusal });
    };
    await isRefused('ASSIGNMENT_NOT_OPEN', { opensAt: inMs(60_000) });
    await isRefused('ASSIGNMENT_CLOSED', { opensAt: new Date(0), closesAt: new Date(1) });
  });

  it('knows a list while it is shared, whose id admits no guest', async ({ address }) => {
    const { client: teacher } = await createPerson(guests.arena.replicas[0]);
    const { listId } = await storeList(teacher, { shared: true });
    expect((await lookUp(address, listId)).body).toEqual({ kind: 'list' });
    expect(await askFrom(address, { code: listId })).toMatchObject(NOT_FOUND);
    expect(await teacher.put(`/api/v1/lists/${listId}`, listOf())).toMatchObject({ status: 200 });
    expect(await lookUp(address, listId)).toMatchObject(NOT_FOUND);
  });

  it('counts wrong codes for the address, beyond whose limit the right code is refused too', async ({ code }) => {
    const address = newAddress();
    await services().redis.set(`limit:stranger_code_miss:${address}`, 98, 'PX', 60_000);
    for (const wrong of ['ZZZZZZ', 'no code']) expect(await lookUp(address, wrong)).toMatchObject(NOT_FOUND);
    for (const any of ['ZZZZZZ', code]) expect(await lookUp(address, any)).toMatchObject(REFUSED);
    expect(await askFrom(address, { code })).toMatchObject(REFUSED);
    expect((await lookUp(newAddress(), code)).status).toBe(200);
  });

  it('does not refuse the codes of anybody who is signed in behind an address of strangers’ wrong codes', async () => {
    const code = await lobbyOf(await guest('Host'));
    const { assignment } = await assign();
    const from = { 'x-forwarded-for': newAddress() };
    const wrong = Array.from({ length: 101 }, () => lookUp(from['x-forwarded-for'], 'ZZZZZZ'));
    expect(statuses(await Promise.all(wrong))).toEqual([...Array(100).fill(404), 429]);
    const { client: pupil } = await createPerson(guests.arena.replicas[0]);
    for (const path of [`/lobbies/${code}/join`, `/assignments/${assignment.code}/start`])
      expect((await pupil.post(`/api/v1${path}`, {}, from)).status).toBeLessThan(300);
    expect((await pupil.get('/api/v1/lobbies/ZZZZZZ', from)).status).toBe(404);
  });
});

it('a guest without a name gets a friendly one, in the language of the browser', async () => {
  for (const [language, headers] of [
    ['en', {}],
    ['de', { 'accept-language': 'de-CH,de;q=0.9' }],
  ] as const) {
    const { adjectives, nouns } = NAME_WORDS[language];
    const words = (await askFrom(newAddress(), {}, headers)).body.user.name.split(' ');
    for (const known of [adjectives, nouns]) expect(known.some((word) => words.includes(word))).toBe(true);
  }
});
