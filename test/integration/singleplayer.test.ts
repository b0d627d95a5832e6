// A game for one, over HTTP, on two replicas; vitest.config.ts runs it on a Redis Cluster as well.
// [contract 3]
import { randomUUID } from 'node:crypto';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commitmentOf } from '../../src/fairness/seal.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { connectRedis, type RedisClient } from '../../src/platform/redis.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { judgeAnswer } from '../../src/singleplayer/store.ts';
import { normalise } from '../../src/vocabulary/rules.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, createHttpClient, type HttpClient } from '../support/http-client.ts';
import { correctOptionId } from '../support/learner.ts';
import { startReplicas, startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { importTestTerms, loadTestVocabulary, type TestTerm } from '../support/vocabulary.ts';

const START = '/api/v1/game/start';
const ANSWER = '/api/v1/game/answer';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let stores: TestStores;
let redis: RedisClient;
let here: TestService;
let there: TestService;
/** One user, on both replicas. */
let user: TestUser;
let client: HttpClient;
let elsewhere: HttpClient;

beforeAll(async () => {
  stores = await startStores();
  const { redisUrl: url, isCluster: cluster, databaseUrl } = stores;
  redis = connectRedis({ url, cluster }, 'commands', createLogger('silent', 'test'));
  await loadTestVocabulary(databaseUrl);
  [here, there] = (await startReplicas(stores, 2)) as [TestService, TestService];
  user = await createSignedInUser(here.services);
  client = createHttpClient(here.url, { cookie: user.cookie });
  elsewhere = client.at(there.url);
});
afterAll(async () => {
  for (const replica of [here, there]) await replica.stop();
  redis.disconnect();
  await stores.stop();
});

/** @returns the requests of another signed-in user */
async function newClient({ services, url }: TestService = here): Promise<HttpClient> {
  const { cookie } = await createSignedInUser(services);
  return createHttpClient(url, { cookie });
}

async function start(request?: object): Promise<GameSession> {
  const { status, body } = await client.post(START, request);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** @returns the names of all that Redis holds of a session that is not over */
async function sessionKeys(sessionId: string): Promise<string[]> {
  return (await keysOf(sessionId)).filter((key) => !/:(over|reply:.*)$/.test(key));
}

async function keysOf(sessionId: string): Promise<string[]> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return (await Promise.all(servers.map((server) => server.keys(`*${sessionId}*`)))).flat();
}

/** What only the service knows, read behind its back. */
function correctOption({ sessionId }: GameSession, questionId: string): Promise<number> {
  return correctOptionId(redis, sessionId, questionId);
}

/** Stores a session anew as the release before did. */
async function storeAsBefore({ sessionId, questions }: GameSession): Promise<void> {
  const [key = ''] = await sessionKeys(sessionId);
  const lines = ((await redis.get(key)) ?? '').split('\n').slice(1);
  const fields: (string | number)[] = ['total', questions.length, 'answered', 0, 'correct', 0];
  for (const line of lines) {
    const [, id = '', option = '', nonce = '', word = ''] =
      /^(\S+) \d+ (\d) (\S+) (.*)$/.exec(line) ?? [];
    fields.push(id, option, `nonce:${id}`, nonce, `word:${id}`, word);
  }
  await redis.del(key);
  await redis.hset(key, 'user', user.id, ...fields);
}

function answer(
  session: GameSession,
  index: number,
  optionId: number,
  by: HttpClient = client,
): Promise<Answer> {
  const questionId = session.questions[index]?.questionId;
  return by.post(ANSWER, { sessionId: session.sessionId, questionId, optionId });
}

/** A deck of the test's own that nothing built-in is in. */
const OWN_DECK = { sourceLanguage: 'de', targetLanguage: 'es', pos: 'adverb' } as const;

async function importDeck(difficulty: string, terms: Partial<TestTerm>[]): Promise<object> {
  const deck = { ...OWN_DECK, difficulty };
  await importTestTerms(
    stores.databaseUrl,
    terms.map((term) => ({ ...deck, ...term })),
  );
  return deck;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ sourceText: `Wort ${at}`, targetText: `voz ${at}` }));

describe('POST /api/v1/game/start', () => {
  test.each([
    ['no body at all', undefined, {}],
    ['an empty body', '', { 'content-type': 'application/json' }],
    ['{}', {}, {}],
  ])('%s: ten nouns of A1 from English to Italian', async (_name, body, headers) => {
    const answered = await client.post(START, body, headers);
    expect(answered.status).toBe(201);
    expect(answered.headers.get('content-type')).toMatch(/^application\/json/);
    const { questions } = answered.body as GameSession;
    expect(questions).toHaveLength(10);
    const where = {
      deck: { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' },
    };
    const terms = await here.services.db.term.findMany({ where });
    for (const { prompt, gloss, options } of questions) {
      expect(terms.some((t) => t.sourceText === prompt && t.sourceGloss === gloss)).toBe(true);
      const texts = terms.map((term) => term.targetText);
      for (const { text } of options) expect(texts).toContain(text);
    }
  });

  test('answers with a session as documented, and with nothing else', async () => {
    const before = Date.now();
    const session = await start();
    expect(Object.keys(session).toSorted()).toEqual(['expiresAt', 'questions', 'sessionId']);
    expect(session.sessionId).toMatch(UUID);
    for (const question of session.questions) {
      expect(question).toEqual({
        questionId: expect.stringMatching(UUID),
        prompt: expect.any(String),
        gloss: expect.any(String),
        options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: expect.any(String) })),
        commitment: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
    expect(session.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const ttlMs = Date.parse(session.expiresAt) - before;
    expect(ttlMs).toBeGreaterThanOrEqual(3_600_000);
    expect(ttlMs).toBeLessThan(3_660_000);
  });

  test('gives fresh ids to every session and question', async () => {
    const sessions = await Promise.all([start(), start(), start()]);
    const ids = sessions.flatMap((session) => [
      session.sessionId,
      ...session.questions.map(({ questionId }) => questionId),
    ]);
    expect(new Set(ids).size).toBe(33);
  });

  test('draws from the part of speech and the difficulty that are asked for', async () => {
    for (const deck of [
      { pos: 'verb', difficulty: 'A1' },
      { pos: 'adjective', difficulty: 'A2' },
    ]) {
      const { questions } = await start({ ...deck, questionCount: 20 });
      const found = await here.services.db.term.findMany({
        where: { deck: { ...deck, sourceLanguage: 'en', targetLanguage: 'it' } },
      });
      const prompts = found.map((term) => term.sourceText);
      for (const { prompt } of questions) expect(prompts).toContain(prompt);
    }
  });

  test.each([1, 50])(
    'draws %i questions, no prompt with the same gloss twice',
    async (questionCount) => {
      const { questions } = await start({ questionCount });
      expect(questions).toHaveLength(questionCount);
      const asked = questions.map(({ prompt, gloss }) => normalise(`${prompt} ${gloss}`));
      expect(new Set(asked).size).toBe(questionCount);
      for (const { options } of questions)
        expect(new Set(options.map(({ text }) => normalise(text))).size).toBe(4);
    },
  );

  test('leaves the gloss out, rather than null, when the term has none', async () => {
    const deck = await importDeck('A1', [
      ...numbered(4),
      { sourceText: 'Bank', targetText: 'banco', sourceGloss: 'zum Sitzen' },
    ]);
    const { questions } = await start({ ...deck, questionCount: 5 });
    for (const question of questions) {
      if (question.prompt === 'Bank') expect(question.gloss).toBe('zum Sitzen');
      else expect(question).not.toHaveProperty('gloss');
    }
  });

  test('offers no other accepted translation of the prompt, of any gloss, level and part of speech', async () => {
    const deck = await importDeck('A2', [
      { sourceText: 'Wagen', targetText: 'coche' },
      { sourceText: 'WAGEN', targetText: 'auto', sourceGloss: 'another' },
      { sourceText: 'x1', targetText: 'carro' },
      { sourceText: 'x2', targetText: 'Coche ' },
      { sourceText: 'x3', targetText: 'tres' },
      { sourceText: 'x4', targetText: 'cuatro' },
      { sourceText: 'x5', targetText: 'cinco' },
    ]);
    await importDeck('B2', [{ sourceText: 'wagen', targetText: 'Carro', pos: 'noun' }]);
    let wagons = 0;
    for (let game = 0; game < 10; game++) {
      const session = await start({ ...deck, questionCount: 6 });
      for (const { questionId, prompt, options } of session.questions) {
        const correct = await correctOption(session, questionId);
        const wrong = options.filter(({ optionId }) => optionId !== correct);
        if (normalise(prompt) !== 'wagen') continue;
        wagons += 1;
        expect(wrong.map(({ text }) => text).toSorted()).toEqual(['cinco', 'cuatro', 'tres']);
      }
    }
    expect(wagons).toBeGreaterThan(0);
  });

  test.each([
    ['NO_MATCHING_TERMS when no term matches', 'B1', [], 1, 'NO_MATCHING_TERMS', /./],
    [
      'NOT_ENOUGH_TERMS when fewer than questionCount match, saying how many there are',
      'C1',
      numbered(7),
      8,
      'NOT_ENOUGH_TERMS',
      /\b7\b/,
    ],
    [
      'NOT_ENOUGH_DISTRACTORS when the deck is too thin',
      'C2',
      numbered(3),
      3,
      'NOT_ENOUGH_DISTRACTORS',
      /./,
    ],
  ])('is refused with 422 %s', async (_name, difficulty, terms, questionCount, code, detail) => {
    const deck = await importDeck(difficulty, terms);
    const { status, body } = await client.post(START, { ...deck, questionCount });
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(body.detail).toMatch(detail);
    expect(body).not.toHaveProperty('errors');
  });

  test.each([
    [{ questionCount: 0 }, 'questionCount', 'must be at least 1'],
    [{ questionCount: 51 }, 'questionCount', 'must be at most 50'],
    [{ questionCount: 2.5 }, 'questionCount', 'must be a whole number'],
    [{ questionCount: '10' }, 'questionCount', 'must be a number'],
    [{ questionCount: null }, 'questionCount', 'must be a number'],
    [{ pos: 'pronoun' }, 'pos', 'must be one of noun, verb, adjective, adverb'],
    [{ pos: 'Noun' }, 'pos', 'must be one of noun, verb, adjective, adverb'],
    [{ difficulty: 'a1' }, 'difficulty', 'must be one of A1, A2, B1, B2, C1, C2'],
    [{ sourceLanguage: 'pt' }, 'sourceLanguage', 'must be one of en, it, es, fr, de'],
    [{ targetLanguage: 7 }, 'targetLanguage', 'must be one of en, it, es, fr, de'],
    [
      { sourceLanguage: 'fr', targetLanguage: 'fr' },
      'targetLanguage',
      'must differ from sourceLanguage',
    ],
    [{ sourceLanguage: 'it' }, 'targetLanguage', 'must differ from sourceLanguage'],
    [{ level: 'A1' }, '', 'has an unknown field'],
    [[], '', 'must be an object'],
    ['"A1"', '', 'must be an object'],
    ['null', '', 'must be an object'],
  ])('refuses %j with 400', async (request, path, message) => {
    const { status, headers, body } = await client.post(START, request);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body.errors).toEqual([{ path, message }]);
  });

  test('refuses what is not JSON with 400 INVALID_JSON', async () => {
    const { status, body } = await client.post(START, '{"pos":');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_JSON' });
  });
});

describe('POST /api/v1/game/answer', () => {
  test('judges the answer: what was chosen, what is right, the score so far', async () => {
    const session = await start({ questionCount: 4 });
    const expected = [];
    const given = [];
    for (const [index, { questionId }] of session.questions.entries()) {
      const correctOptionId = await correctOption(session, questionId);
      // Right, wrong, right, wrong.
      const selectedOptionId = index % 2 === 0 ? correctOptionId : (correctOptionId + 1) % 4;
      given.push(await answer(session, index, selectedOptionId));
      expected.push({
        sessionId: session.sessionId,
        questionId,
        selectedOptionId,
        correctOptionId,
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        isCorrect: index % 2 === 0,
        score: { correct: [1, 1, 2, 2][index], answered: index + 1, total: 4 },
      });
    }
    expect(given.map(({ body }) => body)).toEqual(expected);
    expect(given.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('takes the questions in any order, and on any replica', async () => {
    const session = await start({ questionCount: 3 });
    for (const [place, index] of [2, 0, 1].entries()) {
      const { status, body } = await answer(session, index, 0, place % 2 ? client : elsewhere);
      expect({ status, answered: body.score.answered }).toEqual({
        status: 200,
        answered: place + 1,
      });
    }
  });

  test('takes ids in upper case too, and gives them back in lower case', async () => {
    const { sessionId, questions } = await start();
    const { questionId } = questions[0] as GameSession['questions'][number];
    const request = {
      sessionId: sessionId.toUpperCase(),
      questionId: questionId.toUpperCase(),
      optionId: 0,
    };
    const { status, body } = await client.post(ANSWER, request);
    expect({ status, body }).toMatchObject({ status: 200, body: { sessionId, questionId } });
  });

  describe('checks in this order', () => {
    let session: GameSession;
    let stranger: HttpClient;
    beforeAll(async () => {
      session = await start();
      stranger = await newClient();
      expect((await answer(session, 0, 0)).status).toBe(200);
    });

    /** @returns status and code of an answer to `questionId` of `sessionId` by `by` */
    async function refusal(sessionId: string, questionId: string | undefined, by: HttpClient) {
      const { status, body } = await by.post(ANSWER, { sessionId, questionId, optionId: 1 });
      return [status, body.code];
    }

    test('session unknown: 404 SESSION_NOT_FOUND, whatever the question', async () => {
      for (const by of [client, stranger])
        for (const questionId of [session.questions[0]?.questionId, randomUUID()])
          expect(await refusal(randomUUID(), questionId, by)).toEqual([404, 'SESSION_NOT_FOUND']);
    });

    test('owned by another user: 403 SESSION_FORBIDDEN, whatever the question', async () => {
      const [answered, open] = session.questions.map(({ questionId }) => questionId);
      for (const questionId of [answered, open, randomUUID()])
        expect(await refusal(session.sessionId, questionId, stranger)).toEqual([
          403,
          'SESSION_FORBIDDEN',
        ]);
    });

    test('question not in the session: 404 QUESTION_NOT_FOUND', async () => {
      const other = await start();
      for (const questionId of [other.questions[0]?.questionId, randomUUID()])
        expect(await refusal(session.sessionId, questionId, client)).toEqual([
          404,
          'QUESTION_NOT_FOUND',
        ]);
    });

    test('already answered: 409 QUESTION_ALREADY_ANSWERED', async () => {
      expect(await refusal(session.sessionId, session.questions[0]?.questionId, client)).toEqual([
        409,
        'QUESTION_ALREADY_ANSWERED',
      ]);
    });

    test('and none of them changes anything', async () => {
      const { body } = await answer(session, 1, 0);
      expect(body.score).toMatchObject({ answered: 2, total: 10 });
    });
  });

  test('of 50 concurrent answers to one question exactly one gets 200', async () => {
    const session = await start({ questionCount: 2 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        answer(session, 0, at % 4, at % 2 ? client : elsewhere),
      ),
    );
    const judged = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([judged.length, refused.length]).toEqual([1, 49]);
    for (const { body } of refused) expect(body.code).toBe('QUESTION_ALREADY_ANSWERED');
    const { body } = await answer(session, 1, 0);
    expect(body.score.answered).toBe(2);
  });

  test('concurrent answers to all questions are all counted', async () => {
    const session = await start({ questionCount: 50 });
    const answers = await Promise.all(
      session.questions.map((_, index) =>
        answer(session, index, 0, index % 2 ? client : elsewhere),
      ),
    );
    const scores = answers.map(({ body }) => body.score);
    expect(scores.map(({ answered }) => answered).toSorted((a, b) => a - b)).toEqual(
      session.questions.map((_, index) => index + 1),
    );
    const right = answers.filter(({ body }) => body.isCorrect).length;
    expect(scores.find(({ answered }) => answered === 50)).toEqual({
      correct: right,
      answered: 50,
      total: 50,
    });
    expect(await sessionKeys(session.sessionId)).toEqual([]);
  });

  test('an answer that a broken connection makes arrive twice is judged once, with one verdict', async () => {
    const session = await start({ questionCount: 2 });
    const given = session.questions.map(({ questionId }) => ({
      answer: { sessionId: session.sessionId, questionId, optionId: 0 },
      token: randomUUID(),
    }));
    const judge = ({ answer, token }: (typeof given)[number]) =>
      judgeAnswer(redis, user.id, answer, token);
    for (const each of given) {
      const verdict = await judge(each);
      expect(verdict.word).toBe('judged');
      expect(await judge(each)).toEqual(verdict);
      expect((await judge({ ...each, token: randomUUID() })).word).not.toBe('judged');
    }
    // The first may arrive again when the last is judged already.
    for (const each of given) expect((await judge(each)).word).toBe('judged');
    const stranger = randomUUID();
    for (const { answer, token } of given)
      expect((await judgeAnswer(redis, stranger, answer, token)).word).toBe('session_not_found');
    const keys = await keysOf(session.sessionId);
    expect(keys).toHaveLength(1);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  test('a session that the release before has stored is judged to its end', async () => {
    const session = await start({ questionCount: 2 });
    const right = await Promise.all(
      session.questions.map(({ questionId }) => correctOption(session, questionId)),
    );
    await storeAsBefore(session);
    const stranger = await newClient();
    expect((await answer(session, 0, 0, stranger)).body.code).toBe('SESSION_FORBIDDEN');
    for (const [index, { questionId, commitment }] of session.questions.entries()) {
      const { status, body } = await answer(session, index, right[index] ?? 0);
      expect(status).toBe(200);
      expect(body.score).toEqual({ correct: index + 1, answered: index + 1, total: 2 });
      expect(commitmentOf(questionId, right[index] ?? 0, body.nonce)).toBe(commitment);
      const again = index === 0 ? 'QUESTION_ALREADY_ANSWERED' : 'SESSION_NOT_FOUND';
      expect((await answer(session, index, 0)).body.code).toBe(again);
    }
    expect(await sessionKeys(session.sessionId)).toEqual([]);
  });

  test("the last question's answer deletes what is stored, and anything after it is 404 SESSION_NOT_FOUND", async () => {
    const session = await start({ questionCount: 2 });
    await answer(session, 0, 0);
    expect(await sessionKeys(session.sessionId)).toHaveLength(1);
    expect((await answer(session, 1, 0)).status).toBe(200);
    expect(await sessionKeys(session.sessionId)).toEqual([]);
    for (const index of [0, 1]) {
      const { status, body } = await answer(session, index, 0);
      expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    }
  });

  const ids = { sessionId: randomUUID(), questionId: randomUUID() };
  test.each([
    [{ ...ids, optionId: 4 }, [{ path: 'optionId', message: 'must be at most 3' }]],
    [{ ...ids, optionId: -1 }, [{ path: 'optionId', message: 'must be at least 0' }]],
    [{ ...ids, optionId: 1.5 }, [{ path: 'optionId', message: 'must be a whole number' }]],
    [{ ...ids, optionId: '1' }, [{ path: 'optionId', message: 'must be a number' }]],
    [ids, [{ path: 'optionId', message: 'is required' }]],
    [{ ...ids, sessionId: 'x', optionId: 1 }, [{ path: 'sessionId', message: 'must be a UUID' }]],
    [
      { ...ids, questionId: 'user', optionId: 1 },
      [{ path: 'questionId', message: 'must be a UUID' }],
    ],
    [
      { ...ids, questionId: 12, optionId: 1 },
      [{ path: 'questionId', message: 'must be a string' }],
    ],
    [{ ...ids, optionId: 1, userId: 'x' }, [{ path: '', message: 'has an unknown field' }]],
    ['[]', [{ path: '', message: 'must be an object' }]],
  ])('refuses %j with 400', async (request, errors) => {
    const { status, body } = await client.post(ANSWER, request);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(body.errors).toEqual(errors);
  });

  test('refuses a missing body with 400', async () => {
    const { status, body } = await client.post(ANSWER);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
  });
});

describe('a session', () => {
  test('needs a signed-in user', async () => {
    const nobody = createHttpClient(here.url);
    for (const path of [START, ANSWER]) {
      const { status, body } = await nobody.post(path, '{"bad":');
      expect({ path, status, code: body.code }).toEqual({
        path,
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    }
  });

  test('lives SESSION_TTL_SECONDS and is forgotten then', async () => {
    const shortLived = await startService(stores, { SESSION_TTL_SECONDS: '5' });
    try {
      const player = await newClient(shortLived);
      const { body: session } = await player.post(START);
      const [key = ''] = await sessionKeys(session.sessionId);
      expect(await redis.pttl(key)).toBeGreaterThan(0);
      expect(await redis.pttl(key)).toBeLessThanOrEqual(5000);
      expect((await answer(session, 0, 0, player)).status).toBe(200);
      // An answer doesn't lengthen it.
      expect(await redis.pttl(key)).toBeLessThanOrEqual(5000);
      await eventually(async () => {
        const { status, body } = await answer(session, 0, 0, player);
        expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
      });
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(session.expiresAt));
      expect(await sessionKeys(session.sessionId)).toEqual([]);
    } finally {
      await shortLived.stop();
    }
  });

  test('has a time to live on everything that it keeps in Redis, under one hash tag', async () => {
    const { sessionId } = await start();
    const keys = await sessionKeys(sessionId);
    expect(keys).toHaveLength(1);
    for (const key of keys) {
      expect(key).toContain(`{${sessionId}}`);
      expect(await redis.ttl(key)).toBeGreaterThan(3500);
    }
  });

  test('keeps its answer key out of every response until a question is judged', async () => {
    const session = await start();
    const stranger = await newClient();
    const replies = [
      await answer(session, 0, 0, stranger),
      await client.post(ANSWER, {
        sessionId: session.sessionId,
        questionId: randomUUID(),
        optionId: 0,
      }),
      await client.post(ANSWER, { sessionId: session.sessionId, optionId: 0 }),
    ];
    for (const { body, headers } of replies)
      expect(JSON.stringify([body, ...headers])).not.toMatch(/correct/i);
    // A word may be "key" itself.
    const { questions, ...rest } = session;
    const names = [rest, ...questions].flatMap((part) => Object.keys(part));
    expect(names.join()).not.toMatch(/correct|answer|key/i);
    // What is right differs from game to game, so that no place in the response can tell it.
    const places = new Set<number>();
    for (const { questionId } of session.questions)
      places.add(await correctOption(session, questionId));
    expect(places.size).toBeGreaterThan(1);
  });
});

test('the game limiter counts by user what is started, answered and listed, refusals too', async () => {
  const limited = await startService(stores, { RATE_LIMIT_GAME_MAX: '4' });
  try {
    const player = await newClient(limited);
    const statuses = [
      (await player.post(START)).status,
      (await player.post(START, { questionCount: 0 })).status,
      (await player.post(ANSWER, {})).status,
      (await player.get('/api/v1/vocabulary')).status,
    ];
    expect(statuses).toEqual([201, 400, 400, 200]);
    const refused = await player.post(START);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await (await newClient(limited)).post(START)).status).toBe(201);
  } finally {
    await limited.stop();
  }
});
