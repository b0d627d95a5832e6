// Users create, read, replace and delete their own lists over HTTP. The lists from which questions are drawn are kept in a
// limited memory, and are read a few at a time. [contract 14, 17]
import { beforeAll, describe, expect, it } from 'vitest';
import { createListPools } from '../../src/vocabulary/pools.ts';
import { useTwoReplicas } from '../support/accounts.ts';
import { codeOf, createHttpClient, type HttpClient } from '../support/http-client.ts';
import { listOf, storeList, termsOf } from '../support/lists.ts';
import { give, START } from '../support/quizzes.ts';
import { createPerson } from '../support/users.ts';

const NOT_FOUND = [404, 'LIST_NOT_FOUND'];

const { here, there } = useTwoReplicas();
const newUser = async (replica = here): Promise<HttpClient> => (await createPerson(replica)).client;
const pathOf = (listId: string) => `/api/v1/lists/${listId}`;

const refusedPaths = async (changes: object) => {
  const { status, body } = await (await newUser()).post('/api/v1/lists', listOf(changes));
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return body.errors.map(({ path }: { path: string }) => path);
};

describe('[contract 14] a list', () => {
  it('is created, listed, read with its terms, replaced and deleted by its owner', async () => {
    const user = await newUser();
    const list = await storeList(user);
    expect(list).toEqual({
      listId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Station',
      sourceLanguage: 'de',
      targetLanguage: 'fi',
      shared: false,
      termCount: 6,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const path = pathOf(list.listId);
    expect((await user.get(path)).body).toEqual({ ...list, terms: termsOf(6) });

    const { status, body } = await user.put(path, listOf({ name: 'Bahnhof', terms: termsOf(4) }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ listId: list.listId, name: 'Bahnhof', termCount: 4 });
    expect((await user.get(path)).body.terms).toEqual(termsOf(4));

    expect((await user.delete(path)).status).toBe(204);
    for (const answer of [await user.get(path), await user.put(path, listOf()), await user.delete(path)])
      expect(codeOf(answer)).toEqual(NOT_FOUND);
    expect((await user.get('/api/v1/lists')).body).toEqual({ lists: [] });
  });

  it('is listed for its owner alone, the last changed one first', async () => {
    const user = await newUser();
    const first = await storeList(user, { name: 'first', shared: true });
    const second = await storeList(user, { name: 'second' });
    const listed = async (by = user) => (await by.get('/api/v1/lists')).body;
    expect(await listed()).toEqual({ lists: [second, first] });
    const { body: changed } = await user.put(pathOf(first.listId), listOf({ name: 'first again' }));
    expect(await listed()).toEqual({ lists: [changed, second] });
    expect(await listed(await newUser())).toEqual({ lists: [] });
  });

  it('is read by any signed-in user if it is shared, and changed by its owner alone', async () => {
    const [owner, other] = [await newUser(), await newUser(there)];
    const { listId } = await storeList(owner, { shared: true });
    expect((await other.get(pathOf(listId))).body.terms).toEqual(termsOf(6));
    for (const answer of [await other.put(pathOf(listId), listOf()), await other.delete(pathOf(listId))])
      expect(codeOf(answer)).toEqual(NOT_FOUND);
    expect((await owner.put(pathOf(listId), listOf({ shared: undefined }))).body.shared).toBe(false);
    expect(codeOf(await other.get(pathOf(listId)))).toEqual(NOT_FOUND);
    expect((await createHttpClient(here.url).get(pathOf(listId))).status).toBe(401);
  });

  it('is one of at most 100 of a user, however many are created at once', async () => {
    const user = await newUser();
    const { listId } = await storeList(user);
    const { db } = here.services;
    const { id, updatedAt, ...row } = await db.wordList.findUniqueOrThrow({ where: { id: listId } });
    const copy = { ...row, terms: row.terms as object[] };
    await db.wordList.createMany({ data: Array(94).fill(copy) });
    const clients = [user, user.at(there.url)].flatMap((client) => Array<HttpClient>(10).fill(client));
    const answers = await Promise.all(clients.map((client) => client.post('/api/v1/lists', listOf())));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(codeOf)).toEqual(Array(15).fill([409, 'TOO_MANY_LISTS']));
    const { lists } = (await user.get('/api/v1/lists')).body;
    expect(lists).toHaveLength(100);
    // A list at the limit can still be replaced, and a deleted one makes room for another.
    expect((await user.put(pathOf(lists[0].listId), listOf())).status).toBe(200);
    await user.delete(pathOf(lists[0].listId));
    await storeList(user);
  });
});

describe('[contract 14] the content of a list', () => {
  it('has lengths in code points after NFC and trimming, and is stored like that', async () => {
    const user = await newUser();
    const long = '𝔞'.repeat(119);
    const texts = { sourceText: `  ${long}e\u0301 `, targetText: 'e\u0301'.repeat(120) };
    const terms = [{ ...texts, sourceGloss: `${'𝔤'.repeat(200)}\n` }];
    const { listId, name } = await storeList(user, { name: ` ${'𝔫'.repeat(80)} `, terms });
    expect(name).toBe('𝔫'.repeat(80));
    const stored = { sourceText: `${long}é`, targetText: 'é'.repeat(120), sourceGloss: '𝔤'.repeat(200) };
    expect((await user.get(pathOf(listId))).body.terms).toEqual([stored]);
  });

  it('is refused with 400 and the field’s path', async () => {
    for (const [changes, path] of [
      [{ name: ' ' }, 'name'],
      [{ name: `a${'\u0301'.repeat(31)}` }, 'name'],
      [{ targetLanguage: 'de' }, 'targetLanguage'],
      [{ sourceLanguage: 'qq' }, 'sourceLanguage'],
      [{ terms: [] }, 'terms'],
      [{ terms: termsOf(2001) }, 'terms'],
    ] as const)
      expect(await refusedPaths(changes)).toEqual([path]);
  });

  it('is refused with the paths of all invalid terms, up to 100', async () => {
    const terms: unknown[] = termsOf(300);
    terms[17] = { sourceText: 'Zug', targetText: '' };
    terms[18] = { sourceText: 'x'.repeat(121), targetText: 'a\u0007b' };
    terms[19] = { sourceText: 'Zug', targetText: 'juna', sourceGloss: '' };
    terms[20] = { sourceText: 'Zug', targetText: 'juna', note: 'x' };
    terms[21] = 'Zug';
    const paths = ['17.targetText', '18.sourceText', '18.targetText', '19.sourceGloss', '20', '21'];
    expect(await refusedPaths({ terms })).toEqual(paths.map((path) => `terms.${path}`));
    const all = await refusedPaths({ terms: Array(300).fill({ sourceText: '', targetText: '' }) });
    expect([all.length, all.at(-1)]).toEqual([200, 'terms.99.targetText']);
  });

  it('is refused without a look at each of a million invalid terms', async () => {
    expect(await refusedPaths({ terms: Array(1_000_000).fill(1) })).toEqual(['terms']);
  });

  it('has duplicates once, by the texts as they are compared', async () => {
    const user = await newUser();
    const [one, two, three] = termsOf(3);
    const twin = { sourceText: 'WORT 1', targetText: ' Sana 1 ' };
    const other = { ...one, sourceGloss: 'something else' };
    const terms = [one, two, twin, three, one, other, { ...other, sourceGloss: 'Something else' }];
    const { listId, termCount } = await storeList(user, { terms });
    expect(termCount).toBe(4);
    expect((await user.get(pathOf(listId))).body.terms).toEqual([one, two, three, other]);
  });

  it('may have 4 MiB, unlike other bodies', async () => {
    const user = await newUser();
    const { listId } = await storeList(user);
    const body = JSON.stringify(listOf());
    const limit = 4 * 1024 * 1024;
    const create = (bytes: number) => user.post('/api/v1/lists', body.padEnd(bytes));
    const replace = (bytes: number) => user.put(pathOf(listId), body.padEnd(bytes));
    for (const send of [create, replace]) {
      expect((await send(limit)).body.termCount).toBe(6);
      expect(codeOf(await send(limit + 1))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }
    expect((await user.post(START, body.padEnd(65_537))).status).toBe(413);
  });
});

describe('[contract 14] a quiz with a list', () => {
  const start = (user: HttpClient, body: object) => user.post(START, body);

  it('refuses more questions than the list has, and a list beside a deck', async () => {
    const user = await newUser();
    const { listId } = await storeList(user);
    expect((await start(user, { listId, questionCount: 7 })).body.code).toBe('NOT_ENOUGH_TERMS');
    for (const deck of [{ pos: 'noun' }, { sourceLanguage: 'en' }, { difficulty: 'A1' }])
      expect((await start(user, { listId, ...deck })).body.errors[0].path).toBe('listId');
  });

  it('is 404 for a list that the player may not read, and continues after the list is deleted', async () => {
    const [owner, other] = [await newUser(), await newUser(there)];
    const { listId } = await storeList(owner);
    expect((await start(other, { listId, questionCount: 4 })).body.code).toBe('LIST_NOT_FOUND');
    const { body: session } = await start(owner, { listId, questionCount: 4 });
    // The other replica caches the list, too.
    const elsewhere = owner.at(there.url);
    expect((await start(elsewhere, { listId, questionCount: 4 })).status).toBe(201);
    await owner.delete(pathOf(listId));
    for (const client of [owner, elsewhere]) expect((await start(client, { listId })).body.code).toBe('LIST_NOT_FOUND');
    expect((await give(owner, session, 0)).status).toBe(200);
  });

  it('asks the current words of the list, on every replica', async () => {
    const user = await newUser();
    const { listId } = await storeList(user);
    const clients = [user, user.at(there.url)];
    for (const client of clients) await start(client, { listId, questionCount: 4 });
    const terms = termsOf(4).map(({ sourceText, targetText }) => ({ sourceText: `neues ${sourceText}`, targetText }));
    await user.put(pathOf(listId), listOf({ terms }));
    for (const client of clients.toReversed()) {
      const { body } = await start(client, { listId, questionCount: 4 });
      for (const { prompt } of body.questions) expect(prompt).toMatch(/^neues /);
    }
  });
});

describe('[contract 17] the pools of lists', () => {
  const TINY = Array.from({ length: 2000 }, (_, at) => ({
    sourceText: at.toString(36),
    targetText: (3000 + at).toString(36),
  }));
  let listId: string;
  let loads = 0;
  let [underWay, most] = [0, 0];
  let pools: ReturnType<typeof createListPools>;
  const read = (version: number) => pools.pool({ listId, version });

  beforeAll(async () => {
    ({ listId } = await storeList(await newUser(), { terms: TINY }));
    const { postgres } = here.services;
    const run = postgres.query as (...statement: unknown[]) => Promise<unknown>;
    const query = async (...statement: unknown[]) => {
      loads++;
      most = Math.max(most, ++underWay);
      return run(...statement).finally(() => underWay--);
    };
    pools = createListPools({ query: query as typeof postgres.query });
  });

  it('are made two at a time, and once for all who wait for one', async () => {
    const versions = Array.from({ length: 15 }, (_, at) => at);
    await Promise.all([...versions, ...versions].map(read));
    expect(loads).toBe(15);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('take a limited memory, whatever the length of the words', async () => {
    for (let version = 0; version < 60; version++) await read(version);
    loads = 0;
    for (let version = 40; version < 60; version++) await read(version);
    expect(loads).toBe(0);
    for (let version = 0; version < 20; version++) await read(version);
    expect(loads).toBe(20);
  });
});
