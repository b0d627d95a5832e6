// What the service remembers of each learner and word: queued in the step that judges, written by the
// worker once and in order; vitest.config.ts runs it on a Redis Cluster as well. [contract 13]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAccount } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import { queueKeyBeside } from '../../src/learning/keys.ts';
import { type JudgedEntry, readQueues } from '../../src/learning/queue.ts';
import { writeReviews } from '../../src/learning/write-reviews.ts';
import type { RedisClient } from '../../src/platform/redis.ts';
import { slotOf } from '../../src/platform/slots.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { judgeAnswer } from '../../src/singleplayer/store.ts';
import { startWritingReviews } from '../../worker/write-reviews.ts';
import { eventually } from '../support/eventually.ts';
import { startJudging } from '../support/judging.ts';
import { createLearner, type Learner } from '../support/learner.ts';
import { listOf } from '../support/lists.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { importTestTerms, loadTestVocabulary } from '../support/vocabulary.ts';

let stores: TestStores;
let service: TestService;
let redis: RedisClient;

beforeAll(async () => {
  stores = await startStores();
  await loadTestVocabulary(stores.databaseUrl);
  service = await startService(stores);
  redis = service.services.redis;
});
afterAll(async () => {
  await service.stop();
  await stores.stop();
});

const A1_NOUNS = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };

/** What waits of a session's answers. */
async function waiting(sessionId: string): Promise<JudgedEntry[]> {
  return (await readQueues(redis, [slotOf(redis, sessionId)], 10_000)).entries;
}

/** Writes them, as the worker would. */
async function write(sessionId: string, by = redis): Promise<void> {
  await writeReviews({ db: service.services.db, redis: by }, await waiting(sessionId));
}

/** Answers the first questions of a new session. */
async function play(
  learner: Learner,
  choices: ('right' | 'wrong')[],
  request: object = {},
): Promise<GameSession> {
  const session = await learner.start(request);
  for (const [index, choice] of choices.entries())
    expect(await learner.answer(session, index, choice)).toBe(200);
  return session;
}

function memoriesOf({ user }: Learner) {
  return service.services.db.learnedWord.findMany({
    where: { userId: user.id },
    orderBy: { reviewedAt: 'asc' },
  });
}

describe('each judged answer updates what the service knows of that user and that word', () => {
  test('wrong: Again, due after a minute; right: Good, due after ten', async () => {
    const learner = await createLearner(service);
    const { sessionId, questions } = await play(learner, ['wrong', 'right']);
    await write(sessionId);
    const memories = await memoriesOf(learner);
    expect(memories.map(({ sourceKey }) => sourceKey)).toEqual(
      questions.slice(0, 2).map(({ prompt }) => prompt.toLowerCase()),
    );
    const dueInMs = memories.map(({ due, reviewedAt }) => due.getTime() - reviewedAt.getTime());
    expect(dueInMs).toEqual([60_000, 600_000]);
    expect(memories.map(({ gloss }) => gloss)).toEqual(
      questions.slice(0, 2).map(({ gloss }) => gloss),
    );
  });

  test('no answer is no review', async () => {
    const learner = await createLearner(service);
    const { sessionId } = await play(learner, ['right']);
    await write(sessionId);
    expect(await memoriesOf(learner)).toHaveLength(1);
  });

  test('whichever accepted translation was asked: it is one word', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'fr', targetLanguage: 'de', pos: 'adverb', difficulty: 'B2' };
    const terms = ['eins', 'zwei', 'drei', 'vier'].map((targetText) => ({
      ...{ ...deck, targetText, sourceText: 'un', sourceGloss: 'the only one' },
    }));
    const others = ['A', 'B', 'C'].map((name) => ({ ...deck, sourceText: name, targetText: name }));
    await importTestTerms(stores.databaseUrl, [...terms, ...others]);
    let reviewed = 0;
    for (let attempt = 0; attempt < 6; attempt++) {
      const session = await learner.start({ ...deck, questionCount: 4 });
      const index = session.questions.findIndex(({ prompt }) => prompt === 'un');
      expect(await learner.answer(session, index, 'right')).toBe(200);
      reviewed += 1;
      await write(session.sessionId);
    }
    const memories = await memoriesOf(learner);
    expect(memories.map(({ sourceKey, reps }) => [sourceKey, reps])).toEqual([['un', reviewed]]);
  });

  test('whatever characters it has', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'adverb', difficulty: 'C2' };
    const words = [
      ['a "b", {c}', 'NULL'],
      ["back\\slash's", '\\'],
      ['null', null],
      ['two  spaces ,', '"'],
    ] as const;
    await importTestTerms(
      stores.databaseUrl,
      words.map(([sourceText, sourceGloss], index) => ({
        ...{ ...deck, sourceText, targetText: `wort ${index}` },
        ...(sourceGloss === null ? {} : { sourceGloss }),
      })),
    );
    const all = words.map(() => 'right' as const);
    for (const round of [1, 2]) {
      const { sessionId } = await play(learner, all, { ...deck, questionCount: words.length });
      await write(sessionId);
      const memories = await memoriesOf(learner);
      expect(memories.map(({ sourceKey, gloss }) => [sourceKey, gloss]).toSorted()).toEqual(
        words.map(([prompt, gloss]) => [prompt, gloss]).toSorted(),
      );
      expect(memories.map(({ reps }) => reps)).toEqual(words.map(() => round));
    }
  });

  test('it is queued in the step that judges: a request that arrives twice is queued once', async () => {
    const learner = await createLearner(service);
    const { sessionId, questions } = await learner.start();
    const questionId = questions[0]?.questionId ?? '';
    const token = randomUUID();
    const answer = { sessionId, questionId, optionId: 0 };
    await Promise.all([
      judgeAnswer(redis, learner.user.id, answer, token),
      judgeAnswer(redis, learner.user.id, answer, token),
      judgeAnswer(redis, learner.user.id, answer, randomUUID()),
    ]);
    expect(await waiting(sessionId)).toHaveLength(1);
    await write(sessionId);
  });

  test('a refused answer is none', async () => {
    const learner = await createLearner(service);
    const other = await createLearner(service);
    const session = await play(learner, ['right']);
    const questionId = session.questions[1]?.questionId ?? '';
    const foreign = { sessionId: session.sessionId, questionId, optionId: 0 };
    expect((await other.client.post('/api/v1/game/answer', foreign)).status).toBe(403);
    await write(session.sessionId);
    expect(await memoriesOf(other)).toEqual([]);
    expect(await memoriesOf(learner)).toHaveLength(1);
  });
});

describe('written by the worker, once, in order', () => {
  test('shown within 10 s while a worker runs', async () => {
    const learner = await createLearner(service);
    const writing = startWritingReviews(service.services);
    try {
      await play(learner, ['right', 'wrong', 'right']);
      // Both at last: they are read by two statements, between which the worker may write.
      await eventually(async () => {
        const { reviewedToday, decks } = await learner.progress();
        expect(reviewedToday).toBe(3);
        expect(decks).toEqual([
          { ...A1_NOUNS, questions: expect.any(Number), seen: 3, known: 0, due: 0 },
        ]);
      });
    } finally {
      await writing.close();
    }
  });

  test('a game that the release before has named as it liked is found, and from then on soon', async () => {
    const anySlot = stores.isCluster ? 7 : 0;
    const judging = await startJudging(service.services, 1, () => {
      for (;;) {
        const id = randomUUID();
        if (slotOf(redis, id) === anySlot) return id;
      }
    });
    await judging.judge(3);
    const writing = startWritingReviews(service.services);
    try {
      await eventually(async () => expect(await judging.faults()).toEqual([]));
      await judging.judge(3);
      await eventually(async () => expect(await judging.faults()).toEqual([]));
    } finally {
      await writing.close();
    }
  });

  test('a crash between writing and taking out of the queue loses and doubles nothing', async () => {
    const learner = await createLearner(service);
    const { sessionId } = await play(learner, ['right', 'wrong']);
    const crashing = new Proxy(redis, {
      get: (target, name) => (name === 'xtrim' ? crash : Reflect.get(target, name)),
    });
    const crash = () => Promise.reject(new Error('killed'));
    await expect(write(sessionId, crashing)).rejects.toThrow('killed');
    expect(await waiting(sessionId)).toHaveLength(2);
    await write(sessionId);
    expect(await waiting(sessionId)).toEqual([]);
    const memories = await memoriesOf(learner);
    expect(memories.map(({ reps }) => reps)).toEqual([1, 1]);
    expect((await learner.progress()).reviewedToday).toBe(2);
  });

  test('workers that write at the same time write each answer once', async () => {
    const learner = await createLearner(service);
    const { sessionId } = await play(learner, ['right', 'right', 'wrong']);
    await eventually(async () => {
      await Promise.all([write(sessionId), write(sessionId), write(sessionId)]);
      expect(await waiting(sessionId)).toEqual([]);
    });
    expect((await memoriesOf(learner)).map(({ reps }) => reps)).toEqual([1, 1, 1]);
    expect((await learner.progress()).reviewedToday).toBe(3);
  });

  test('in order: of one word’s answers in two games the earlier one comes first', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'es', targetLanguage: 'fr', pos: 'adverb', difficulty: 'C1' };
    const texts = ['A', 'B', 'C', 'D'].map((text) => ({ sourceText: text, targetText: text }));
    await importTestTerms(
      stores.databaseUrl,
      texts.map((text) => ({ ...deck, ...text })),
    );
    const games: GameSession[] = [];
    while (games.length < 6) games.push(await learner.start({ ...deck, questionCount: 4 }));
    const bySlot = games.toSorted(
      (a, b) => slotOf(redis, a.sessionId) - slotOf(redis, b.sessionId),
    );
    // Whoever reads the queues one after another finds the later answer first.
    const [later, earlier] = [bySlot[0], bySlot.at(-1)] as [GameSession, GameSession];
    const answer = (game: GameSession, choice: 'right' | 'wrong') => {
      const index = game.questions.findIndex(({ prompt }) => prompt === 'A');
      return learner.answer(game, index, choice);
    };
    expect(await answer(earlier, 'right')).toBe(200);
    expect(await answer(later, 'wrong')).toBe(200);
    const writing = startWritingReviews(service.services);
    try {
      const [memory] = await eventually(async () => {
        const memories = await memoriesOf(learner);
        expect(memories.map(({ reps }) => reps)).toEqual([2]);
        return memories;
      });
      expect(Number(memory?.due) - Number(memory?.reviewedAt)).toBe(60_000);
    } finally {
      await writing.close();
    }
  });

  test('in order: what was judged while queues are read waits for the next time', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const slots = [...new Set([one, other].map((id) => slotOf(redis, id)))];
    const judge = (id: string, prompt: string) => {
      const word = JSON.stringify(['en it noun A1', prompt]);
      const key = queueKeyBeside(redis, id);
      return redis.xadd(key, '*', 'word', word, 'right', '', 'wrong', '');
    };
    const prompts = async (by = redis) =>
      (await readQueues(by, slots, 10_000)).entries.map(({ word }) => word?.prompt);
    for (const id of [one, other]) await redis.del(queueKeyBeside(redis, id));
    await judge(other, 'first');
    await eventually(async () => expect(await prompts()).toEqual(['first']));
    let queues = 0;
    const interrupted = new Proxy(redis, {
      get: (target, name) => (name === 'xrange' ? read : Reflect.get(target, name)),
    });
    const read = async (...args: Parameters<typeof redis.xrange>) => {
      if (queues++ === 0) {
        const rows = await redis.xrange(...args);
        await judge(one, 'second');
        await judge(other, 'third');
        return rows;
      }
      await eventually(async () =>
        expect(await redis.xlen(queueKeyBeside(redis, other))).toBeGreaterThan(1),
      );
      return redis.xrange(...args);
    };
    const found = await prompts(interrupted);
    expect(found).toEqual(['first', 'second', 'third'].slice(0, found.length));
    await eventually(async () => expect(await prompts()).toEqual(['first', 'second', 'third']));
  });

  test('what makes no sense is passed over, and what follows is written', async () => {
    const learner = await createLearner(service);
    const session = await learner.start();
    const key = queueKeyBeside(redis, session.sessionId);
    await redis.xadd(key, '*', 'word', 'no JSON', 'right', 'nobody', 'wrong', '');
    expect(await learner.answer(session, 0, 'right')).toBe(200);
    await write(session.sessionId);
    expect(await memoriesOf(learner)).toHaveLength(1);
    expect(await waiting(session.sessionId)).toEqual([]);
  });

  test('with the account goes what it learned, and what still waits to be written', async () => {
    const learner = await createLearner(service);
    const written = await play(learner, ['right']);
    await write(written.sessionId);
    const { sessionId } = await play(learner, ['wrong']);
    await deleteAccount(service.services, learner.user.id);
    await write(sessionId);
    expect(await waiting(sessionId)).toEqual([]);
    expect(await memoriesOf(learner)).toEqual([]);
    const { db } = service.services;
    expect(await db.reviewCount.count({ where: { userId: learner.user.id } })).toBe(0);
  });
});

test('[contract 11] a guest’s progress becomes the account’s; of one word the later answer holds', async () => {
  const guest = await createLearner(service);
  const account = await createLearner(service);
  const deck = { sourceLanguage: 'es', targetLanguage: 'de', pos: 'adverb', difficulty: 'B1' };
  const names = ['A', 'B', 'C', 'D'];
  await importTestTerms(
    stores.databaseUrl,
    names.map((name) => ({ ...deck, sourceText: `uno ${name}`, targetText: `eins ${name}` })),
  );
  const questionCount = names.length;
  const earlier = await play(account, ['right', 'right', 'right', 'right'], {
    ...deck,
    questionCount,
  });
  await write(earlier.sessionId);
  const later = await play(guest, ['wrong', 'wrong'], { ...deck, questionCount });
  await write(later.sessionId);
  const { db } = service.services;
  await handOver(db, guest.user.id, account.user.id);
  await handOver(db, guest.user.id, account.user.id);
  expect(await memoriesOf(guest)).toEqual([]);
  const dueInMs = (await memoriesOf(account)).map(
    ({ due, reviewedAt }) => due.getTime() - reviewedAt.getTime(),
  );
  expect(dueInMs).toEqual([600_000, 600_000, 60_000, 60_000]);
  expect((await account.progress()).reviewedToday).toBe(6);
});

describe('[contract 11] what a guest has answered and is not written yet at the hand-over', () => {
  test('becomes the account’s, once, though the guest is gone by then', async () => {
    const [guest, account] = [await createLearner(service), await createLearner(service)];
    const { sessionId } = await play(guest, ['right', 'wrong']);
    const { db } = service.services;
    await handOver(db, guest.user.id, account.user.id);
    await handOver(db, guest.user.id, account.user.id);
    await deleteAccount(service.services, guest.user.id);
    await write(sessionId);
    const memories = await memoriesOf(account);
    expect(memories.map(({ reps }) => reps)).toEqual([1, 1]);
    expect((await account.progress()).reviewedToday).toBe(2);
  });

  test('nothing of it is lost when it is written at that moment', async () => {
    const { db } = service.services;
    for (let attempt = 0; attempt < 10; attempt++) {
      const [guest, account] = [await createLearner(service), await createLearner(service)];
      const games = [await play(guest, ['right']), await play(account, ['right'])];
      await Promise.all([
        ...games.map(({ sessionId }) => write(sessionId)),
        handOver(db, guest.user.id, account.user.id),
      ]);
      await eventually(async () => {
        for (const { sessionId } of games) {
          await write(sessionId);
          expect(await waiting(sessionId)).toEqual([]);
        }
      });
      expect(await memoriesOf(guest)).toEqual([]);
      expect((await account.progress()).reviewedToday).toBe(2);
    }
  });
});

describe('GET /api/v1/progress', () => {
  test('of somebody who has learned nothing yet', async () => {
    const learner = await createLearner(service);
    expect(await learner.progress()).toEqual({
      ...{ dueNow: 0, reviewedToday: 0, streakDays: 0 },
      decks: [],
    });
  });

  test('dueNow is the sum of due; known: stability of at least 21 days', async () => {
    const learner = await createLearner(service);
    const nouns = await play(learner, ['right', 'wrong', 'right']);
    await write(nouns.sessionId);
    const verbs = await play(learner, ['right', 'wrong'], { pos: 'verb' });
    await write(verbs.sessionId);
    const { db } = service.services;
    const past = new Date(Date.now() - 60_000);
    await db.learnedWord.updateMany({ where: { userId: learner.user.id }, data: { due: past } });
    const [first, second] = await memoriesOf(learner);
    const grow = (word = '', stability = 0) =>
      db.learnedWord.update({
        where: { userId_word: { userId: learner.user.id, word } },
        data: { stability },
      });
    await grow(first?.word, 21);
    await grow(second?.word, 20.99);
    const progress = await learner.progress();
    expect(progress.dueNow).toBe(5);
    expect(progress.decks).toEqual([
      { ...A1_NOUNS, questions: expect.any(Number), seen: 3, known: 1, due: 3 },
      { ...A1_NOUNS, pos: 'verb', questions: expect.any(Number), seen: 2, known: 0, due: 2 },
    ]);
    expect(progress.streakDays).toBe(1);
  });

  test('has somebody else’s list for as long as it is there and one may read it', async () => {
    const [owner, learner] = [await createLearner(service), await createLearner(service)];
    const created = await owner.client.post('/api/v1/lists', listOf({ shared: true }));
    const { listId } = created.body;
    const put = (changes: object) =>
      owner.client.request('PUT', `/api/v1/lists/${listId}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(listOf(changes)),
      });
    const words = async () =>
      (await learner.progress()).decks.map((deck) => ('listId' in deck ? deck.name : deck.pos));
    await write((await play(learner, ['right', 'wrong'], { listId, questionCount: 4 })).sessionId);
    expect((await learner.progress()).decks).toEqual([
      { listId, name: 'Station', questions: 6, seen: 2, known: 0, due: 0 },
    ]);

    await put({ name: 'Mine' });
    expect(await words()).toEqual([]);
    await put({ name: 'Ours', shared: true });
    expect(await words()).toEqual(['Ours']);

    await owner.client.request('DELETE', `/api/v1/lists/${listId}`);
    expect(await words()).toEqual([]);
    expect(await learner.progress()).toMatchObject({ dueNow: 0, reviewedToday: 2 });
  });

  test('words that can no longer be asked do not count', async () => {
    const learner = await createLearner(service);
    const { sessionId } = await play(learner, ['right', 'right']);
    await write(sessionId);
    const [memory] = await memoriesOf(learner);
    await service.services.db.learnedWord.updateMany({
      where: { userId: learner.user.id, word: memory?.word ?? '' },
      data: { gloss: 'as it was explained before' },
    });
    expect((await learner.progress()).decks[0]?.seen).toBe(1);
  });

  test.each([
    ['no name of a time zone', 'timeZone=Mars/Olympus'],
    ['an offset', `timeZone=${encodeURIComponent('+02:00')}`],
    ['an empty name', 'timeZone='],
    ['an unknown field', 'zone=UTC'],
  ])('%s: 400', async (_name, query) => {
    const learner = await createLearner(service);
    const { status, body } = await learner.client.get(`/api/v1/progress?${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toHaveLength(1);
  });

  test.each(['UTC', 'Europe/Rome', 'Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5'])(
    'days are by the IANA time zone %s',
    async (timeZone) => {
      const learner = await createLearner(service);
      const query = `timeZone=${encodeURIComponent(timeZone)}`;
      expect((await learner.progress(query)).streakDays).toBe(0);
    },
  );

  test('without a session: 401', async () => {
    expect((await fetch(`${service.url}/api/v1/progress`)).status).toBe(401);
  });
});

describe('GET /api/v1/progress/calendar', () => {
  test('has the days with an answer, and how many there were', async () => {
    const learner = await createLearner(service);
    const empty = await learner.client.get('/api/v1/progress/calendar');
    expect([empty.status, empty.body]).toEqual([200, { days: [] }]);
    const { sessionId } = await play(learner, ['right', 'wrong', 'right']);
    await write(sessionId);
    const { body } = await learner.client.get('/api/v1/progress/calendar?timeZone=Asia/Tokyo');
    // Midnight may pass between two of them.
    const answers = body.days.map((day: { answers: number }) => day.answers);
    expect(answers.reduce((sum: number, count: number) => sum + count, 0)).toBe(3);
  });

  test('a time zone that is none: 400; without a session: 401', async () => {
    const learner = await createLearner(service);
    const { status } = await learner.client.get('/api/v1/progress/calendar?timeZone=Mars/Olympus');
    expect(status).toBe(400);
    expect((await fetch(`${service.url}/api/v1/progress/calendar`)).status).toBe(401);
  });
});
