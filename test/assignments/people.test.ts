// What becomes of attempts when their users learn, sign in, are deleted, or ask for their data. [contract 13, 21, 22]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import type { AssignmentResults } from '../../src/assignments/schema.ts';
import { learn } from '../../worker/learn.ts';
import { eventually } from '../support/eventually.ts';
import { exportOf } from '../support/exports.ts';
import { ASSIGNMENTS, useHomework } from '../support/homework.ts';
import { storeList } from '../support/lists.ts';
import { give } from '../support/quizzes.ts';
import type { Person } from '../support/users.ts';

const { here, there, owner, person, guest, assign, start, begin, answer, finish, close, invent, lockWaits } =
  useHomework();

async function peopleOf(code: string): Promise<AssignmentResults['people']> {
  return (await owner.client.get(`${ASSIGNMENTS}/${code}/results`)).body.people;
}

describe('the memory', () => {
  const progressOf = async ({ client }: Pick<Person, 'client'>) => (await client.get('/api/v1/progress')).body;

  test('learns each answer once, whatever the number of workers', async () => {
    const { code } = await assign({ difficulty: 'A2' });
    const people = [await person(), await person(), await person()];
    for (const { client } of people) {
      const session = await start(client, code);
      await answer(client, session, 0, 'right');
      await answer(client, session, 1, 'wrong');
    }
    await Promise.all([here, there, here].map(({ services }) => learn(services)));
    const decks = [{ pos: 'noun', difficulty: 'A2', seen: 2 }];
    for (const one of people) expect(await progressOf(one)).toMatchObject({ reviewedToday: 2, decks });
  });

  test('has the answers of an assignment that its owner deletes at once', async () => {
    const { code, client, session } = await begin();
    await answer(client, session, 0, 'right');
    expect((await owner.client.delete(`${ASSIGNMENTS}/${code}`)).status).toBe(204);
    expect((await progressOf({ client })).reviewedToday).toBe(1);
  });

  test('is told whether a typed answer was right, close or wrong', async () => {
    // A word with less than five letters is never close.
    const words = ['kirjasto', 'opettaja', 'ikkuna'];
    const terms = words.map((targetText) => ({ sourceText: targetText, targetText }));
    const { listId } = await storeList(owner.client, { terms });
    const { client, user, session } = await begin({ answerMode: 'typed', listId });
    for (const [place, how] of (['right', 'close', 'wrong'] as const).entries())
      expect((await answer(client, session, place, how)).body.verdict).toBe(how);
    await learn(here.services);
    const where = { userId: user.id };
    const memories = await here.services.db.learnedWord.findMany({ where, orderBy: { reviewedAt: 'asc' } });
    const dueInMs = memories.map(({ due, reviewedAt }) => Number(due) - Number(reviewedAt));
    expect(dueInMs).toEqual([600_000, 360_000, 60_000]);
  });

  test('passes over an answer that cannot be read, and learns the others', async () => {
    const { client, session } = await begin();
    await answer(client, session, 0, 'right');
    await here.services.db.$executeRaw`
      UPDATE assignment_attempt SET answers = '[{"question": "x"}]' || answers, answered = 2
       WHERE id = ${session.sessionId}::uuid`;
    await learn(here.services);
    expect((await progressOf({ client })).reviewedToday).toBe(1);
  });
});

describe('a hand-over', () => {
  test('gives a guest’s attempts to the account, which goes on with the open one', async () => {
    const [visitor, account] = [await guest('Mia'), await person('Mia Account')];
    const { code, session } = await begin({}, visitor);
    await answer(visitor.client, session, 0, 'right');
    await handOver(here.services.db, visitor.user.id, account.user.id);
    expect(await peopleOf(code)).toMatchObject([{ userId: account.user.id, name: 'Mia Account', isGuest: false }]);
    const again = await start(account.client, code);
    expect([again.sessionId, again.answered.length]).toEqual([session.sessionId, 1]);
    await finish(account.client, again, 2);
    expect((await answer(visitor.client, session, 1, 'right')).status).toBe(404);
  });

  test('numbers the guest’s attempts after the account’s, and finishes the guest’s of two open ones', async () => {
    const { code } = await assign({ attempts: 2 });
    const [visitor, account] = [await guest(), await person('Mia')];
    await finish(account.client, await start(account.client, code), 1);
    const own = await start(account.client, code);
    await finish(visitor.client, await start(visitor.client, code), 3);
    const theirs = await start(visitor.client, code);
    await answer(visitor.client, theirs, 0, 'right');
    for (let times = 0; times < 2; times++) await handOver(here.services.db, visitor.user.id, account.user.id);
    const [mia, ...others] = await peopleOf(code);
    expect(others).toEqual([]);
    expect(mia?.attempts.map(({ attempt, correct, finishedAt }) => [attempt, correct, finishedAt !== null])).toEqual([
      [1, 1, true],
      [2, 0, false],
      [3, 3, true],
      [4, 1, true],
    ]);
    expect((await start(account.client, code)).sessionId).toBe(own.sessionId);
    expect((await answer(account.client, theirs, 1, 'right')).body.code).toBe('SESSION_NOT_FOUND');
    expect((await account.client.get(`${ASSIGNMENTS}/${code}`)).body.attemptsLeft).toBe(0);
  });

  test('gives nobody a better mark by an attempt beyond those that the assignment allows', async () => {
    const { code } = await assign({ attempts: 1 });
    const [visitor, account] = [await guest(), await person('Mia')];
    await finish(account.client, await start(account.client, code), 1);
    await finish(visitor.client, await start(visitor.client, code), 3);
    await handOver(here.services.db, visitor.user.id, account.user.id);
    const best = { correct: 1, total: 3 };
    const path = `${ASSIGNMENTS}/${code}`;
    const [mia] = await peopleOf(code);
    expect([mia?.attempts.length, mia?.best]).toEqual([2, best]);
    expect((await account.client.get(path)).body.best).toEqual(best);
    const table = await owner.client.get(`${path}/results`, { accept: 'text/csv' });
    expect(table.body).toContain(`Mia,${account.user.id},2,1,3,`);
    await owner.client.patch(`${ASSIGNMENTS}/${code}`, { attempts: 2 });
    expect((await account.client.get(path)).body.best.correct).toBe(3);
  });

  test('awaits an attempt that the guest begins at the same moment, and moves it', async () => {
    const { code, assignmentId } = await assign();
    const [visitor, account] = [await guest(), await person()];
    const { db } = here.services;
    const pending = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM assignment WHERE id = ${assignmentId}::uuid FOR UPDATE`;
      const started = start(visitor.client, code);
      await eventually(async () => expect(await lockWaits()).toBe(1));
      const handedOver = handOver(db, visitor.user.id, account.user.id);
      await Promise.race([handedOver, eventually(async () => expect(await lockWaits()).toBe(2))]);
      return [started, handedOver];
    });
    await Promise.all(pending);
    expect(await peopleOf(code)).toMatchObject([{ userId: account.user.id }]);
  });
});

describe('the deletion of an account', () => {
  test('removes its assignments, and renames it in those of others', async () => {
    const one = await person('Mia');
    const { code, client, session: finished } = await begin({}, one);
    await finish(client, finished, 2);
    const own = await assign({}, one);
    const pupil = await person();
    const session = await start(pupil.client, own.code);
    await deleteAccount(here.services, one.user.id);
    expect((await pupil.client.get(`${ASSIGNMENTS}/${own.code}`)).status).toBe(404);
    expect((await give(pupil.client, session, 0)).status).toBe(404);
    const deleted = { userId: one.user.id, name: 'Deleted player', best: { correct: 2, total: 3 } };
    expect(await peopleOf(code)).toMatchObject([deleted]);
  });

  test('of a guest keeps the name', async () => {
    const { code, user } = await begin({}, await guest('Tom'));
    await deleteAccount(here.services, user.id, true);
    expect(await peopleOf(code)).toMatchObject([{ name: 'Tom', isGuest: true }]);
  });

  test('succeeds while a worker learns from its assignments', async () => {
    const teacher = await person();
    const { code } = await assign({}, teacher);
    for (let pupils = 0; pupils < 4; pupils++) {
      const { client } = await person();
      await answer(client, await start(client, code), 0, 'right');
    }
    await Promise.all([learn(here.services), deleteAccount(here.services, teacher.user.id), learn(there.services)]);
    expect(await here.services.db.user.count({ where: { id: teacher.user.id } })).toBe(0);
  });
});

describe('the owner of an assignment', () => {
  const remove = (code: string, which: string, { client }: Pick<Person, 'client'> = owner) =>
    client.delete(`${ASSIGNMENTS}/${code}/people${which}`);
  const countsOf = async (code: string) => {
    const { startedCount, finishedCount } = (await owner.client.get(`${ASSIGNMENTS}/${code}`)).body;
    return [startedCount, finishedCount];
  };

  test('removes a person, whose answers are learned, and who begins anew', async () => {
    const { code } = await assign({ attempts: 2 });
    const [mia, tom] = [await person('Mia'), await person('Tom')];
    for (const { client } of [mia, tom]) await finish(client, await start(client, code), 3);
    const open = await start(mia.client, code);
    await answer(mia.client, open, 0, 'right');
    expect(await countsOf(code)).toEqual([2, 2]);
    for (const id of [mia.user.id, mia.user.id, randomUUID()]) expect((await remove(code, `/${id}`)).status).toBe(204);
    expect((await remove(code, '/mia')).status).toBe(400);
    expect(await countsOf(code)).toEqual([1, 1]);
    expect(await peopleOf(code)).toMatchObject([{ name: 'Tom' }]);
    expect((await give(mia.client, open, 1)).body.code).toBe('SESSION_NOT_FOUND');
    expect((await mia.client.get('/api/v1/progress')).body.reviewedToday).toBe(4);
    const { body } = await mia.client.get(`${ASSIGNMENTS}/${code}`);
    expect(body).toMatchObject({ attemptsLeft: 2, best: null, openAttempt: null });
    expect((await start(mia.client, code)).attempt).toBe(1);
  });

  test('removes all guests at once, and no account', async () => {
    const { code } = await assign();
    const people = [await guest(), await guest(), await person('Tom')];
    for (const { client } of people) await start(client, code);
    for (const query of ['', '?isGuest=false', '?isGuest=true&x=1'])
      expect((await remove(code, query)).status).toBe(400);
    expect((await peopleOf(code)).length).toBe(3);
    expect((await remove(code, '?isGuest=true')).status).toBe(204);
    expect(await peopleOf(code)).toMatchObject([{ name: 'Tom' }]);
    expect(await countsOf(code)).toEqual([1, 0]);
  });

  test('alone removes people', async () => {
    const { code, client, user } = await begin();
    for (const which of [`/${user.id}`, '?isGuest=true'])
      expect((await remove(code, which, { client })).body.code).toBe('ASSIGNMENT_NOT_FOUND');
    expect(await here.services.redis.get(`limit:code_miss:${user.id}`)).toBe('2');
    expect(await peopleOf(code)).toHaveLength(1);
  });
});

describe('an assignment with many people', () => {
  const startAt = ({ client }: Person, code: string, at = 0) =>
    client.at(at % 2 ? there.url : here.url).post(`${ASSIGNMENTS}/${code}/start`, {});
  const outcomesOf = async (people: Person[], code: string) =>
    (await Promise.all(people.map((one, at) => startAt(one, code, at))))
      .map(({ status, body }) => body.code ?? status)
      .toSorted();
  const FULL = 'ASSIGNMENT_FULL';

  test('takes 1000 guests and 2000 people, however many start at once on two replicas', async () => {
    const early = await guest();
    const { code, assignmentId, session } = await begin({ attempts: 2 }, early);
    await finish(early.client, session, 3);
    await invent(assignmentId, 997, true);
    const guests = await Promise.all(Array.from({ length: 6 }, () => guest()));
    expect(await outcomesOf(guests, code)).toEqual([201, 201, FULL, FULL, FULL, FULL]);
    const account = await person();
    expect((await startAt(account, code)).status).toBe(201);
    await invent(assignmentId, 998);
    const accounts = await Promise.all(Array.from({ length: 4 }, () => person()));
    expect(await outcomesOf(accounts, code)).toEqual([201, FULL, FULL, FULL]);
    expect((await startAt(early, code)).status).toBe(201);
    expect((await startAt(account, code)).status).toBe(200);
    const late = await person();
    await handOver(here.services.db, early.user.id, late.user.id);
    expect((await startAt(late, code)).status).toBe(200);
    const [counted] = await here.services.db.$queryRaw<[object]>`
      SELECT started_count, guest_count FROM assignment WHERE id = ${assignmentId}::uuid`;
    expect(counted).toEqual({ started_count: 2000, guest_count: 999 });
  });

  test('is listed with the numbers of those who have begun and finished, all of them once it is closed', async () => {
    const { code, assignmentId } = await assign({ attempts: 2 });
    await invent(assignmentId, 1999);
    const early = await person();
    for (const _attempt of [1, 2]) await finish(early.client, await start(early.client, code), 3);
    const { body } = await owner.client.get(ASSIGNMENTS);
    expect(body.assignments[0]).toMatchObject({ code, startedCount: 2000, finishedCount: 1 });
    await close(code);
    expect((await owner.client.get(`${ASSIGNMENTS}/${code}`)).body.finishedCount).toBe(2000);
  });
});

test('the export has own assignments and attempts, without what is still to be judged', async () => {
  const { code, assignmentId, client, session } = await begin({ attempts: 2 }, await person('Mia'));
  await finish(client, session, 2);
  const open = await start(client, code);
  const judged = await answer(client, open, 2, 'right');
  const { attempts } = await exportOf(client);
  expect(attempts).toMatchObject([
    { assignmentId, code, title: 'Unit 3', name: 'Mia', attempt: 1, correct: 2 },
    { sessionId: open.sessionId, attempt: 2, correct: 1, finishedAt: null },
  ]);
  const { questionId, nonce, correctOptionId } = judged.body;
  expect(attempts[1]?.answers).toMatchObject([
    { questionId, nonce, correctOptionId, selectedOptionId: correctOptionId, isCorrect: true },
  ]);
  const { assignments } = await exportOf(owner.client);
  expect(assignments.map((own) => own.code)).toContain(code);
  expect((await exportOf(client)).assignments).toEqual([]);
});
