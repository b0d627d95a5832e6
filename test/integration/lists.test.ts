// Lists of one's own over HTTP. [contract 14]
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { listOf, termsOf } from '../support/lists.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let stores: TestStores;
let replicas: TestService[];
beforeAll(async () => {
  stores = await startStores();
  replicas = await startReplicas(stores, 2);
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await stores.stop();
});

/** @returns a new user's client of a replica */
async function newUser(replica = 0): Promise<HttpClient> {
  const { services, url } = replicas[replica] as TestService;
  const { cookie } = await createSignedInUser(services);
  return createHttpClient(url, { cookie });
}

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const put = (user: HttpClient, listId: string, body: object) =>
  user.request('PUT', `/api/v1/lists/${listId}`, json(body));
const remove = (user: HttpClient, listId: string) =>
  user.request('DELETE', `/api/v1/lists/${listId}`);
const create = async (user: HttpClient, changes: object = {}) => {
  const answer = await user.post('/api/v1/lists', listOf(changes));
  expect(answer.status).toBe(201);
  return answer.body;
};
const refusedPaths = async (changes: object) => {
  const { status, body } = await (await newUser()).post('/api/v1/lists', listOf(changes));
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return body.errors.map(({ path }: { path: string }) => path);
};

describe('[contract 14] a list', () => {
  it('is created, listed, read with its terms, replaced and deleted by its owner', async () => {
    const user = await newUser();
    const list = await create(user);
    expect(list).toEqual({
      listId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ name: 'Station', sourceLanguage: 'de', targetLanguage: 'fi', shared: false },
      termCount: 6,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const { body: read } = await user.get(`/api/v1/lists/${list.listId}`);
    expect(read).toEqual({ ...list, terms: termsOf(6) });

    const replaced = await put(user, list.listId, listOf({ name: 'Bahnhof', terms: termsOf(4) }));
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject({ listId: list.listId, name: 'Bahnhof', termCount: 4 });
    expect((await user.get(`/api/v1/lists/${list.listId}`)).body.terms).toEqual(termsOf(4));

    const deleted = await remove(user, list.listId);
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    expect((await remove(user, list.listId)).body.code).toBe('LIST_NOT_FOUND');
    expect((await user.get('/api/v1/lists')).body).toEqual({ lists: [] });
  });

  it('is listed for its owner alone, the last changed first', async () => {
    const user = await newUser();
    const first = await create(user, { name: 'first', shared: true });
    const second = await create(user, { name: 'second' });
    const names = async () =>
      (await user.get('/api/v1/lists')).body.lists.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['second', 'first']);
    await put(user, first.listId, listOf({ name: 'first again' }));
    expect(await names()).toEqual(['first again', 'second']);
    expect((await user.get('/api/v1/lists')).body.lists[1]).toEqual(second);
    expect((await (await newUser()).get('/api/v1/lists')).body).toEqual({ lists: [] });
  });

  it('is read by anybody signed in when it is shared, and changed by its owner alone', async () => {
    const [owner, other] = [await newUser(), await newUser(1)];
    const { listId } = await create(owner, { shared: true });
    expect((await other.get(`/api/v1/lists/${listId}`)).body.terms).toEqual(termsOf(6));
    for (const answer of [await put(other, listId, listOf()), await remove(other, listId)])
      expect([answer.status, answer.body.code]).toEqual([404, 'LIST_NOT_FOUND']);
    // Without `shared` it is private from then on.
    const { shared, ...body } = listOf();
    expect(shared).toBe(false);
    expect((await put(owner, listId, body)).body.shared).toBe(false);
    const hidden = await other.get(`/api/v1/lists/${listId}`);
    expect([hidden.status, hidden.body.code]).toEqual([404, 'LIST_NOT_FOUND']);
    const stranger = createHttpClient((replicas[0] as TestService).url);
    expect((await stranger.get(`/api/v1/lists/${listId}`)).status).toBe(401);
  });

  it('that is not there is 404, and what is no UUID is 400', async () => {
    const user = await newUser();
    const calls = (id: string) => [
      user.get(`/api/v1/lists/${id}`),
      put(user, id, listOf()),
      remove(user, id),
    ];
    for (const { status, body } of await Promise.all(calls(UNKNOWN)))
      expect([status, body.code]).toEqual([404, 'LIST_NOT_FOUND']);
    for (const { status, body } of await Promise.all(calls('mine')))
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const wrong = await user.request('PATCH', '/api/v1/lists');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });

  it('is one of at most 100 of a user, however many are created at once', async () => {
    const user = await newUser();
    const { services } = replicas[0] as TestService;
    const { listId } = await create(user);
    const { id, updatedAt, ...row } = await services.db.wordList.findUniqueOrThrow({
      where: { id: listId },
    });
    const copy = { ...row, terms: row.terms as object[] };
    await services.db.wordList.createMany({ data: Array(94).fill(copy) });
    const [first, second] = replicas.map(({ url }) => user.at(url)) as [HttpClient, HttpClient];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? first : second).post('/api/v1/lists', listOf({ name: `list ${at}` })),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.code]).toEqual([409, 'TOO_MANY_LISTS']);
    const { lists } = (await user.get('/api/v1/lists')).body;
    expect(lists).toHaveLength(100);
    // What is there can be replaced, and a place that is free again taken.
    expect((await put(user, lists[0].listId, listOf())).status).toBe(200);
    await remove(user, lists[0].listId);
    await create(user);
  });
});

describe('[contract 14] what a list may hold', () => {
  it('lengths count in code points after NFC and trimming, and are stored so', async () => {
    const user = await newUser();
    const long = '𝔞'.repeat(119);
    const terms = termsOf(4);
    terms[0] = {
      sourceText: `  ${long}e\u0301 `,
      targetText: 'é'.normalize('NFD').repeat(120),
      sourceGloss: `${'𝔤'.repeat(200)}\n`,
    };
    const { listId, name } = await create(user, { name: ` ${'𝔫'.repeat(80)} `, terms });
    expect(name).toBe('𝔫'.repeat(80));
    expect((await user.get(`/api/v1/lists/${listId}`)).body.terms[0]).toEqual({
      sourceText: `${long}é`,
      targetText: 'é'.repeat(120),
      sourceGloss: '𝔤'.repeat(200),
    });
  });

  it.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a name of 81 characters', { name: 'x'.repeat(81) }, 'name'],
    ['a control character', { name: 'a\u0000b' }, 'name'],
    ['a lone surrogate', { name: '\ud800' }, 'name'],
    ['equal languages', { targetLanguage: 'de' }, 'targetLanguage'],
    ['a language that is none', { sourceLanguage: 'qq' }, 'sourceLanguage'],
    ['a language in upper case', { sourceLanguage: 'DE' }, 'sourceLanguage'],
    ['an unknown field', { colour: 'red' }, ''],
    ['three terms', { terms: termsOf(3) }, 'terms'],
    ['three different terms', { terms: [...termsOf(3), ...termsOf(3)] }, 'terms'],
    ['2001 terms', { terms: termsOf(2001) }, 'terms'],
    ['no terms', { terms: undefined }, 'terms'],
  ])('%s is a 400 that names the field', async (_what, changes, path) => {
    expect(await refusedPaths(changes)).toEqual([path]);
  });

  it('a bad term is named, every bad one up to 100', async () => {
    const terms: unknown[] = termsOf(300);
    terms[17] = { sourceText: 'Zug', targetText: '' };
    terms[18] = { sourceText: 'x'.repeat(121), targetText: 'a\u0007b' };
    terms[19] = { sourceText: 'Zug', targetText: 'juna', sourceGloss: '' };
    terms[20] = { sourceText: 'Zug', targetText: 'juna', note: 'x' };
    terms[21] = 'Zug';
    expect(await refusedPaths({ terms })).toEqual([
      ...['terms.17.targetText', 'terms.18.sourceText', 'terms.18.targetText'],
      ...['terms.19.sourceGloss', 'terms.20', 'terms.21'],
    ]);
    const bad = terms.map(() => ({ sourceText: '', targetText: '' }));
    const paths = await refusedPaths({ terms: bad });
    expect(paths).toHaveLength(200);
    expect(paths.at(-1)).toBe('terms.99.targetText');
  });

  it('a million wrong terms are refused without looking at each', async () => {
    expect(await refusedPaths({ terms: Array(1_000_000).fill(1) })).toEqual(['terms']);
  });

  it('duplicates are kept once, by the texts as they are compared', async () => {
    const user = await newUser();
    const [one, two, three, four] = termsOf(4) as [object, object, object, object];
    const twin = { sourceText: 'WORT 1', targetText: ' Sana 1 ' };
    const other = { sourceText: 'Wort 1', targetText: 'sana 1', sourceGloss: 'something else' };
    const { listId, termCount } = await create(user, {
      terms: [one, two, twin, three, one, four, other, { ...other, sourceGloss: 'Something else' }],
    });
    expect(termCount).toBe(5);
    const { body } = await user.get(`/api/v1/lists/${listId}`);
    expect(body.terms).toEqual([one, two, three, four, other]);
  });

  it('a body goes up to 4 MiB, here alone', async () => {
    const user = await newUser();
    const { listId } = await create(user);
    const body = JSON.stringify(listOf());
    const sized = (bytes: number) => ({
      headers: { 'content-type': 'application/json' },
      body: body + ' '.repeat(bytes - body.length),
    });
    const limit = 4 * 1024 * 1024;
    for (const [method, path] of [
      ['POST', '/api/v1/lists'],
      ['PUT', `/api/v1/lists/${listId}`],
    ] as const) {
      expect((await user.request(method, path, sized(limit))).body.termCount).toBe(6);
      const { status, body } = await user.request(method, path, sized(limit + 1));
      expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }
    const game = await user.request('POST', '/api/v1/game/start', sized(65_537));
    expect(game.status).toBe(413);
  });

  it('no body is read before 401', async () => {
    const { url } = replicas[0] as TestService;
    const { status, body } = await createHttpClient(url).post('/api/v1/lists', 'not even JSON');
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('[contract 14] a quiz with a list', () => {
  const start = (user: HttpClient, body: object) => user.post('/api/v1/game/start', body);

  it('asks its words, with wrong options from the same list', async () => {
    const user = await newUser();
    const { listId } = await create(user, { shared: true });
    const player = await newUser(1);
    const { status, body } = await start(player, { listId, questionCount: 6 });
    expect(status).toBe(201);
    const answers = termsOf(6).map(({ targetText }) => targetText);
    expect(body.questions.map(({ prompt }: { prompt: string }) => prompt).sort()).toEqual(
      termsOf(6).map(({ sourceText }) => sourceText),
    );
    for (const { options } of body.questions) {
      const texts = options.map(({ text }: { text: string }) => text);
      expect(new Set(texts).size).toBe(4);
      expect(answers).toEqual(expect.arrayContaining(texts));
    }
  });

  it('never offers another accepted translation as a wrong option', async () => {
    const user = await newUser();
    const terms = [...termsOf(4), { sourceText: 'Wort 1', targetText: 'toinen' }];
    const { listId } = await create(user, { terms });
    for (let game = 0; game < 10; game++) {
      const { body } = await start(user, { listId, questionCount: 4 });
      for (const { prompt, options } of body.questions) {
        const texts = options.map(({ text }: { text: string }) => text);
        const right = texts.filter((text: string) => ['sana 1', 'toinen'].includes(text));
        if (prompt === 'Wort 1') expect(right).toHaveLength(1);
      }
    }
  });

  it('refuses what is too little, and a list beside a deck', async () => {
    const user = await newUser();
    const { listId } = await create(user);
    const many = await start(user, { listId, questionCount: 7 });
    expect([many.status, many.body.code]).toEqual([422, 'NOT_ENOUGH_TERMS']);
    for (const deck of [{ pos: 'noun' }, { sourceLanguage: 'en' }, { difficulty: 'A1' }]) {
      const both = await start(user, { listId, ...deck });
      expect([both.status, both.body.errors[0].path]).toEqual([400, 'listId']);
    }
    expect((await start(user, { listId: 'mine' })).status).toBe(400);
  });

  it('is 404 for a list that one may not read, and goes on when the list is deleted', async () => {
    const [owner, other] = [await newUser(), await newUser(1)];
    const { listId } = await create(owner);
    expect((await start(other, { listId, questionCount: 4 })).body.code).toBe('LIST_NOT_FOUND');
    const { body: session } = await start(owner, { listId, questionCount: 4 });
    // The other replica has it in memory as well.
    const there = owner.at((replicas[1] as TestService).url);
    expect((await start(there, { listId, questionCount: 4 })).status).toBe(201);
    await remove(owner, listId);
    for (const client of [owner, there])
      expect((await start(client, { listId })).body.code).toBe('LIST_NOT_FOUND');
    const answer = { sessionId: session.sessionId, questionId: session.questions[0].questionId };
    expect((await owner.post('/api/v1/game/answer', { ...answer, optionId: 0 })).status).toBe(200);
  });

  it('asks what the list holds at that moment, on every replica', async () => {
    const user = await newUser();
    const { listId } = await create(user);
    const there = user.at((replicas[1] as TestService).url);
    for (const client of [user, there]) await start(client, { listId, questionCount: 4 });
    const terms = termsOf(4).map(({ sourceText, targetText }) => ({
      sourceText: `neues ${sourceText}`,
      targetText,
    }));
    await put(user, listId, listOf({ terms }));
    for (const client of [there, user]) {
      const { body } = await start(client, { listId, questionCount: 4 });
      for (const { prompt } of body.questions) expect(prompt).toMatch(/^neues /);
    }
  });
});
