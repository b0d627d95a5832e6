// Owners create, list, change and delete assignments, and others find them by their codes. [contract 21]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { StoredQuestion } from '../../src/assignments/rules.ts';
import { CreateAssignmentRequest } from '../../src/assignments/schema.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { storeGame } from '../support/exports.ts';
import { ASSIGNMENTS, assignmentOf, inMs, useHomework } from '../support/homework.ts';
import { codeOf, createHttpClient } from '../support/http-client.ts';
import { storeList, termsOf } from '../support/lists.ts';
import { give } from '../support/quizzes.ts';
import type { Person } from '../support/users.ts';

const { here, there, owner, person, guest, assign, start, begin, answer, finish, close, lockWaits } = useHomework();

/** The direction of the lists. */
const DIRECTION = { sourceLanguage: 'de', targetLanguage: 'fi' };

/** @param by the creator, by default the owner. @returns the reply to a request for an assignment of one question */
const create = (changes: object = {}, { client }: Pick<Person, 'client'> = owner) =>
  client.post(ASSIGNMENTS, assignmentOf({ questionCount: 1, ...changes }));

describe('POST /api/v1/assignments', () => {
  test('creates an assignment, of which the reply tells everything but the questions', async () => {
    const closesAt = inMs(86_400_000);
    const deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'verb', difficulty: 'A2' };
    const words = { ...deck, questionCount: 5, answerMode: 'typed', attempts: 2 };
    const { status, body } = await create({ ...words, title: '  Unit 3  ', closesAt: closesAt.replace('Z', '+00:00') });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...words,
      assignmentId: expect.stringMatching(/^[\da-f-]{36}$/),
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
      title: 'Unit 3',
      ownerName: owner.user.name,
      closesAt,
      startedCount: 0,
      finishedCount: 0,
      attemptsLeft: 2,
      best: null,
      openAttempt: null,
      opensAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(body.opensAt).toBe(body.createdAt);
  });

  test.each([
    { reverse: false, languages: DIRECTION, text: 'sourceText' as const },
    { reverse: true, languages: { sourceLanguage: 'fi', targetLanguage: 'de' }, text: 'targetText' as const },
  ])('has the words of a list also when the list is deleted; reverse: $reverse', async (row) => {
    const { reverse, languages, text } = row;
    const { listId } = await storeList(owner.client, { terms: termsOf(4) });
    const { code, ...words } = await assign({ listId, reverse, questionCount: 4 });
    expect(words).toMatchObject({ listId, listName: 'Station', ...languages });
    expect([words.reverse, 'reverse' in words]).toEqual(reverse ? [true, true] : [undefined, false]);
    expect(words).not.toHaveProperty('pos');
    await owner.client.delete(`/api/v1/lists/${listId}`);
    const pupil = await person();
    const session = await start(pupil.client, code);
    expect(session.questions.map(({ prompt }) => prompt).toSorted()).toEqual(termsOf(4).map((term) => term[text]));
    expect(session.sourceLanguage).toBe(reverse ? 'fi' : undefined);
    await finish(pupil.client, session, 4);
    expect((await pupil.client.get(`${ASSIGNMENTS}/${code}`)).body.best.correct).toBe(4);
  });

  test('reads times in UTC, however it is written', () => {
    for (const zone of ['Z', '+00:00', '-00:00', '+0000', '+00']) {
      const request = { title: 'x', closesAt: `2026-12-24T10:00:00.5${zone}` };
      expect(CreateAssignmentRequest.parse(request).closesAt).toBe('2026-12-24T10:00:00.500Z');
    }
  });

  test('refuses with 400 what contradicts itself, or the time', async () => {
    for (const [changes, path] of [
      [{ title: ' ' }, 'title'],
      [{ closesAt: inMs(86_400_000).replace('Z', '+02:00') }, 'closesAt'],
      [{ opensAt: inMs(7_200_000) }, 'closesAt'],
      [{ listId: randomUUID(), pos: 'noun' }, 'listId'],
      [{ gameId: randomUUID(), pos: 'noun' }, 'gameId'],
      [{ sourceLanguage: 'it' }, 'targetLanguage'],
      [{ closesAt: '2020-12-24T10:00:00Z' }, 'closesAt'],
      [{ closesAt: inMs(401 * 86_400_000) }, 'closesAt'],
    ] as const) {
      const { status, body } = await create(changes);
      expect([status, body.errors?.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
    }
  });

  test('refuses what cannot be drawn, as a start does', async () => {
    expect(codeOf(await create({ listId: randomUUID() }))).toEqual([404, 'LIST_NOT_FOUND']);
    expect(codeOf(await create({ pos: 'adverb', questionCount: 50 }))).toEqual([422, 'NOT_ENOUGH_TERMS']);
  });

  describe('with gameId', () => {
    const storeWords = () => storeList(owner.client, { terms: termsOf(5) });
    const questionsOf = async (assignment: Promise<{ assignmentId: string }>) => {
      const { assignmentId: id } = await assignment;
      const { questions } = await here.services.db.assignment.findUniqueOrThrow({ where: { id } });
      return questions as unknown as StoredQuestion[];
    };
    const promptsOf = async (assignment: Promise<{ assignmentId: string }>) =>
      (await questionsOf(assignment)).map(({ prompt }) => prompt);
    /** @param given the words, and what the three players gave; option 2 is the right one */
    const storeRounds = (settings: object, given: [word: object, options: (number | null)[]][], columns: object) =>
      storeGame(here.services.db, [{ id: randomUUID() }, { id: randomUUID() }, { id: randomUUID() }], {
        settings: { ...LOBBY_EXAMPLE.settings, ...settings },
        rounds: given.map(([word, options], at) => ({
          round: at + 1,
          questionId: randomUUID(),
          correctOptionId: 2,
          judgedAt: inMs(0),
          ...word,
          answers: options.map((option) => (option === null ? [] : [option, 0, 1000])),
        })),
        ...columns,
      });
    const hard: Parameters<typeof storeRounds>[1] = [
      [{ prompt: 'Wort 1' }, [2, 2, 2]],
      [{ prompt: 'Wort 2' }, [1, null, null]],
      [{ prompt: 'Wort 4' }, [2, 1, 2]],
      [{ prompt: 'Wort 9' }, [0, 0, 0]],
    ];

    test('asks the words of the game that the list still has, the hardest first, up to questionCount', async () => {
      const { listId } = await storeWords();
      const words = { listId, pos: undefined, difficulty: undefined };
      const hosted = await storeRounds(words, hard, { hostId: owner.user.id });
      const presented = await storeRounds(words, hard, { presenterId: owner.user.id });
      const typed = { answerMode: 'typed' };
      expect(await promptsOf(assign({ gameId: presented, questionCount: 2, ...typed }))).toEqual(['Wort 2', 'Wort 4']);
      const all = assign({ gameId: hosted, questionCount: undefined, ...typed });
      expect(await promptsOf(all)).toEqual(['Wort 2', 'Wort 4', 'Wort 1']);
      expect(await all).toMatchObject({ listId, listName: 'Station', ...DIRECTION, questionCount: 3, ...typed });
    });

    test('asks the words of a deck with its own wrong options', async () => {
      const { sourceLanguage, targetLanguage, pos, difficulty } = LOBBY_EXAMPLE.settings;
      const deck = { sourceLanguage, targetLanguage, pos, difficulty };
      const drawn = await questionsOf(assign({ ...deck, questionCount: 3 }));
      const given: typeof hard = drawn.map(({ prompt, gloss }, at) => [{ prompt, gloss }, [2, 2, 2].fill(0, 2 - at)]);
      const gameId = await storeRounds(deck, given, { hostId: owner.user.id });
      const asked = await promptsOf(assign({ gameId, questionCount: 10 }));
      expect(asked).toEqual(drawn.map(({ prompt }) => prompt).toReversed());
    });

    test('refuses games of others, lists that cannot be read, and words that are gone', async () => {
      const ask = async (gameId: string | Promise<string>) => codeOf(await create({ gameId: await gameId }));
      const { listId } = await storeWords();
      const words = { listId, pos: undefined, difficulty: undefined };
      const own = { hostId: owner.user.id };
      for (const [gameId, refusal] of [
        [randomUUID(), [404, 'GAME_NOT_FOUND']],
        [storeRounds(words, hard, { hostId: randomUUID() }), [404, 'GAME_NOT_FOUND']],
        [storeRounds({ ...words, listId: randomUUID() }, hard, own), [404, 'LIST_NOT_FOUND']],
        [storeRounds(words, hard.slice(3), own), [422, 'NO_MATCHING_TERMS']],
        [storeRounds(words, [], own), [422, 'NO_MATCHING_TERMS']],
      ] as const)
        expect(await ask(gameId)).toEqual(refusal);
    });
  });

  test('refuses guests with 403 ACCOUNT_NEEDED', async () => {
    expect(codeOf(await create({}, await guest()))).toEqual([403, 'ACCOUNT_NEEDED']);
  });

  test('creates exactly as many at once as there are places, 200', async () => {
    const { client, user } = await person();
    const { code } = (await create({}, { client })).body;
    const { id: _, ...row } = await here.services.db.assignment.findUniqueOrThrow({ where: { code } });
    const { words, questions, ...columns } = row;
    const copy = { ...columns, words: words ?? {}, questions: questions ?? [] };
    const data = Array.from({ length: 196 }, (_, at) => ({ ...copy, code: `ZZZZ${String(at).padStart(4, '0')}` }));
    await here.services.db.assignment.createMany({ data });
    const clients = [client, client.at(there.url)].flatMap((browser) => Array(4).fill({ client: browser }));
    const replies = await Promise.all(clients.map((browser) => create({}, browser)));
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(codeOf)).toEqual(Array(5).fill([409, 'TOO_MANY_ASSIGNMENTS']));
    expect(await here.services.db.assignment.count({ where: { ownerId: user.id } })).toBe(200);
  });

  test('leaves connections to others while one owner’s creations wait for each other', async () => {
    const [busy, other] = [await person(), await person()];
    const createBy = async (one: Person) => (await create({}, one)).status;
    const waiting = await here.services.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM "user" WHERE id = ${busy.user.id}::uuid FOR UPDATE`;
      const pending = Array.from({ length: 24 }, () => createBy(busy));
      expect(await createBy(other)).toBe(201);
      expect(await lockWaits()).toBeLessThanOrEqual(1);
      return pending;
    });
    // The first one may have waited too long for the lock.
    const [, ...later] = await Promise.all(waiting);
    expect([...new Set(later)]).toEqual([201]);
  });
});

describe('GET /api/v1/assignments', () => {
  test('lists the own assignments in pages, the newest first', async () => {
    const { client } = await person();
    for (const title of ['a', 'b', 'c']) await assign({ title }, { client });
    const first = (await client.get(`${ASSIGNMENTS}?limit=2`)).body;
    const second = (await client.get(`${ASSIGNMENTS}?limit=2&before=${first.next}`)).body;
    const counts = { startedCount: 0, attemptsLeft: 1 };
    expect(first.assignments).toMatchObject([{ title: 'c', ...counts }, { title: 'b' }]);
    expect(second).toMatchObject({ assignments: [{ title: 'a' }], next: null });
    expect((await client.get(`${ASSIGNMENTS}?before=x`)).status).toBe(400);
  });
});

describe('GET /api/v1/assignments/begun', () => {
  test('lists what one has begun, open attempts first, then by the last answer, in pages', async () => {
    const pupil = await person();
    const made: string[] = [];
    for (const title of ['done', 'open', 'answered', 'closed', 'not begun']) made.push((await assign({ title })).code);
    const [done = '', open = '', answered = '', closed = ''] = made;
    const answeredSession = await start(pupil.client, answered);
    await start(pupil.client, closed);
    await start(pupil.client, open);
    await finish(pupil.client, await start(pupil.client, done), 3);
    await answer(pupil.client, answeredSession, 0, 'right');
    await close(closed);
    const listed: { code: string }[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await pupil.client.get(`${ASSIGNMENTS}/begun?limit=1${next && `&before=${next}`}`);
      listed.push(...body.assignments);
      next = body.next;
    }
    expect(listed.map(({ code }) => code)).toEqual([answered, open, done, closed]);
    for (const view of listed) expect(view).toEqual((await pupil.client.get(`${ASSIGNMENTS}/${view.code}`)).body);
    expect((await pupil.client.get(ASSIGNMENTS)).body.assignments).toEqual([]);
    expect((await pupil.client.get(`${ASSIGNMENTS}/begun?before=x`)).status).toBe(400);
  });
});

describe('GET /api/v1/assignments/:code', () => {
  test('shows it to everybody signed in, the numbers of people to the owner alone', async () => {
    const { code, startedCount, finishedCount, ...seen } = await assign();
    const pupil = await person();
    const written = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;
    const { status, body } = await pupil.client.get(`${ASSIGNMENTS}/${encodeURIComponent(written)}`);
    expect({ status, body }).toEqual({ status: 200, body: { code, ...seen } });
    expect((await createHttpClient(here.url).get(`${ASSIGNMENTS}/${code}`)).status).toBe(401);
    await start(pupil.client, code);
    await finish(owner.client, await start(owner.client, code), 2);
    const counts = { startedCount: 2, finishedCount: 1, attemptsLeft: 0, best: { correct: 2, total: 3 } };
    expect((await owner.client.get(`${ASSIGNMENTS}/${code}`)).body).toMatchObject(counts);
  });
});

describe('PATCH /api/v1/assignments/:code', () => {
  test('changes what is given', async () => {
    const before = await assign();
    const change = { title: 'Unit 4', attempts: 4, opensAt: inMs(1000), closesAt: inMs(9000) };
    const { status, body } = await owner.client.patch(`${ASSIGNMENTS}/${before.code}`, change);
    expect({ status, body }).toEqual({ status: 200, body: { ...before, ...change, attemptsLeft: 4 } });
    expect((await owner.client.patch(`${ASSIGNMENTS}/${before.code}`, {})).body).toEqual(body);
  });

  test('closes now by a time in the past, and keeps the time of an earlier closing', async () => {
    const { code } = await assign();
    const closed = await close(code, -3_000_000);
    expect(Math.abs(Date.parse(closed.body.closesAt) - Date.now())).toBeLessThan(60_000);
    const again = await close(code);
    expect(again.body.closesAt).toBe(closed.body.closesAt);
    const reopened = await close(code, 60_000);
    expect(Date.parse(reopened.body.closesAt)).toBeGreaterThan(Date.now());
  });

  test('refuses a closing before the opening, or too far ahead, with 400', async () => {
    const { code } = await assign();
    for (const change of [{ opensAt: inMs(7_200_000) }, { closesAt: inMs(401 * 86_400_000) }]) {
      const { status, body } = await owner.client.patch(`${ASSIGNMENTS}/${code}`, change);
      expect([status, body.errors?.[0].path]).toEqual([400, 'closesAt']);
    }
  });
});

describe('DELETE /api/v1/assignments/:code', () => {
  test('deletes it with its results, and its attempts end', async () => {
    const { code, assignmentId, client, session } = await begin();
    expect((await owner.client.delete(`${ASSIGNMENTS}/${code}`)).status).toBe(204);
    expect(codeOf(await client.get(`${ASSIGNMENTS}/${code}`))).toEqual([404, 'ASSIGNMENT_NOT_FOUND']);
    expect(codeOf(await give(client, session, 0))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(await here.services.db.assignmentPerson.count({ where: { assignmentId } })).toBe(0);
  });
});

test('what is not there, or not one’s own to change, is 404 ASSIGNMENT_NOT_FOUND', async () => {
  const { code } = await assign();
  const { client } = await person();
  const replies = [
    await client.get(`${ASSIGNMENTS}/AAAAAAAA`),
    await client.get(`${ASSIGNMENTS}/AAAAAA`),
    await client.post(`${ASSIGNMENTS}/AAAAAAAA/start`, {}),
    await client.patch(`${ASSIGNMENTS}/${code}`, { title: 'Mine' }),
    await client.delete(`${ASSIGNMENTS}/${code}`),
    await client.get(`${ASSIGNMENTS}/${code}/results`),
    await client.get(`${ASSIGNMENTS}/${code}/results`, { accept: 'text/csv' }),
  ];
  expect(replies.map(codeOf)).toEqual(replies.map(() => [404, 'ASSIGNMENT_NOT_FOUND']));
  expect((await owner.client.get(`${ASSIGNMENTS}/${code}`)).body.title).toBe('Unit 3');
});
