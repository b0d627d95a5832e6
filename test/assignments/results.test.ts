// The owner of an assignment sees who has answered what, as JSON and as CSV. [contract 21]
import { expect, test } from 'vitest';
import { handOver } from '../../src/accounts/hand-over.ts';
import { countAnswers } from '../../src/assignments/results-store.ts';
import type { StoredQuestion } from '../../src/assignments/rules.ts';
import type { AssignmentResults } from '../../src/assignments/schema.ts';
import { ASSIGNMENTS, useHomework } from '../support/homework.ts';
import { give } from '../support/quizzes.ts';

const { here, owner, person, assign, start, answer, finish, close, invent } = useHomework();

async function resultsOf(code: string, query = ''): Promise<AssignmentResults> {
  const { status, body } = await owner.client.get(`${ASSIGNMENTS}/${code}/results${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function tableOf(code: string): Promise<string[][]> {
  const reply = await owner.client.get(`${ASSIGNMENTS}/${code}/results`, { accept: 'text/csv' });
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
  expect(reply.body).toMatch(/\r\n$/);
  const lines: string[] = reply.body.slice(0, -2).split('\r\n');
  return lines.map((line) => line.split(','));
}

test('name people by name, then id, with each attempt and the best finished one', async () => {
  const { code } = await assign({ attempts: 3 });
  const [zoe, ada, adaToo] = [await person('Zoe'), await person('Ada'), await person('Ada')];
  await finish(zoe.client, await start(zoe.client, code), 1);
  await finish(zoe.client, await start(zoe.client, code), 3);
  await answer(zoe.client, await start(zoe.client, code), 0, 'right');
  for (const { client } of [ada, adaToo]) await start(client, code);
  const { people } = await resultsOf(code);
  const adas = [ada.user.id, adaToo.user.id].toSorted();
  expect(people.map(({ userId }) => userId)).toEqual([...adas, zoe.user.id]);
  expect(people[0]).toEqual({
    userId: adas[0],
    name: 'Ada',
    isGuest: false,
    best: null,
    attempts: [{ attempt: 1, startedAt: expect.any(String), finishedAt: null, correct: 0, answered: 0, total: 3 }],
  });
  const ended = { finishedAt: expect.any(String) };
  expect(people[2]).toMatchObject({
    best: { correct: 3, total: 3 },
    attempts: [
      { attempt: 1, correct: 1, answered: 3, ...ended },
      { attempt: 2, correct: 3, answered: 3, ...ended },
      { attempt: 3, correct: 1, answered: 1, finishedAt: null },
    ],
  });
  await close(code);
  const closed = await resultsOf(code);
  expect(closed.people.map(({ best }) => best?.correct)).toEqual([0, 0, 3]);
  expect(closed.people[0]?.attempts[0]?.finishedAt).toBe(closed.assignment.closesAt);
  expect(closed.assignment).toMatchObject({ startedCount: 3, finishedCount: 3 });
});

test('come in pages, which renamed people and new ones do not shift', async () => {
  const { code, assignmentId } = await assign();
  const names = ['a "quoted"', 'b', 'c', 'd'];
  for (const name of names) await start((await person(name)).client, code);
  const first = await resultsOf(code, '?limit=2');
  const where = { assignmentId, name: 'b' };
  await here.services.db.assignmentPerson.updateMany({ where, data: { name: 'Deleted player' } });
  const second = await resultsOf(code, `?limit=2&after=${first.next}`);
  const seen = [...first.people, ...second.people].map(({ name }) => name);
  expect({ seen, next: second.next }).toEqual({ seen: names, next: null });
  const forged = Buffer.from(JSON.stringify(['\0', owner.user.id])).toString('base64url');
  for (const query of ['?limit=0', '?limit=201', '?after=x', `?after=${forged}`, '?page=2'])
    expect((await owner.client.get(`${ASSIGNMENTS}/${code}/results${query}`)).status).toBe(400);
});

test('count each person’s first answer to a question, and its most frequent mistakes', async () => {
  const { code } = await assign({ attempts: 2, questionCount: 1 });
  const answers = [['right'], ['wrong', 'right'], ['right', 'wrong'], ['wrong']] as const;
  for (const own of answers) {
    const { client } = await person();
    for (const how of own) await answer(client, await start(client, code), 0, how);
  }
  const { questions } = await resultsOf(code);
  expect(questions[0]?.rightShare).toBe(0.5);
  const wrong = questions[0]?.mostWrong ?? [];
  expect(wrong.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  const row = await here.services.db.assignment.findUniqueOrThrow({ where: { code } });
  const [stored] = row.questions as unknown as StoredQuestion[];
  for (const { text } of wrong) expect(stored?.texts.slice(1)).toContain(text);
});

test('count the answers of two people as one person’s after a hand-over', async () => {
  const { code } = await assign({ questionCount: 1 });
  const [account, guest] = [await person(), await person()];
  const shareNow = async () => (await resultsOf(code)).questions[0]?.rightShare;
  await answer(account.client, await start(account.client, code), 0, 'right');
  expect(await shareNow()).toBe(1);
  await answer(guest.client, await start(guest.client, code), 0, 'wrong');
  expect(await shareNow()).toBe(0.5);
  await handOver(here.services.db, guest.user.id, account.user.id);
  expect(await shareNow()).toBe(1);
});

test('count typed mistakes as they are compared', async () => {
  const { code } = await assign({ answerMode: 'typed', questionCount: 1 });
  for (const text of ['Xylophon', 'il xylophon', 'XYLOPHON!', 'zzz', 'yyy', 'yyy', 'www']) {
    const { client } = await person();
    await give(client, await start(client, code), 0, { text });
  }
  const [question] = (await resultsOf(code)).questions;
  expect(question?.rightShare).toBe(0);
  expect(question?.mostWrong.map(({ count }) => count)).toEqual([3, 2, 1]);
  expect(['Xylophon', 'il xylophon', 'XYLOPHON!']).toContain(question?.mostWrong[0]?.text);
});

test('as CSV have one line a person, with the answers of the best finished attempt', async () => {
  const { code, assignmentId } = await assign({ attempts: 3 });
  const { questions } = await resultsOf(code);
  const [mia, tom] = [await person('=Mia'), await person('Tom')];
  const first = await start(mia.client, code);
  await finish(mia.client, first, 2);
  await finish(mia.client, await start(mia.client, code), 2);
  await start(tom.client, code);
  const [header, ...lines] = await tableOf(code);
  expect(header?.slice(0, 6).join()).toBe('player,userId,attempts,bestCorrect,total,finishedAt');
  expect(header?.slice(6)).toEqual(questions.map(({ prompt }) => prompt));
  const { finishedAt } = await here.services.db.assignmentAttempt.findFirstOrThrow({
    where: { assignmentId, userId: mia.user.id, number: 1 },
  });
  const right = new Set(first.questions.slice(0, 2).map(({ questionId }) => questionId));
  const marks = questions.map(({ questionId }) => (right.has(questionId) ? '1' : '0'));
  expect(lines).toEqual([
    ["'=Mia", mia.user.id, '2', '2', '3', finishedAt?.toISOString(), ...marks],
    ['Tom', tom.user.id, '1', '', '3', '', '', '', ''],
  ]);
});

test('are read in portions, whatever the number of people', async () => {
  const { code, assignmentId } = await assign({ questionCount: 2 });
  await invent(assignmentId, 1201);
  await here.services.db.$executeRaw`
    INSERT INTO assignment_attempt (id, assignment_id, user_id, number, secret, answered, correct, answers)
    SELECT gen_random_uuid(), assignment_id, user_id, 1, '', 1, 1, '[{"question": 1, "option": 2, "isCorrect": false}]'
      FROM assignment_person WHERE assignment_id = ${assignmentId}::uuid`;
  const { questions, people } = await resultsOf(code, '?limit=200');
  expect(people).toHaveLength(200);
  expect(questions.map(({ rightShare }) => rightShare)).toEqual([null, 0]);
  expect(questions[1]?.mostWrong[0]?.count).toBe(1201);
  expect(new Set((await tableOf(code)).map(([, userId]) => userId)).size).toBe(1202);
});

test('cost the replica a few bytes for each mistake, however long and different they are', async () => {
  const places = 50;
  const { code, assignmentId } = await assign({ answerMode: 'typed', questionCount: places });
  await invent(assignmentId, 400);
  // Seven people make the same mistake, and others three, two and one.
  await here.services.db.$executeRaw`
    INSERT INTO assignment_attempt (id, assignment_id, user_id, number, secret, answered, answers)
    SELECT gen_random_uuid(), assignment_id, user_id, 1, '', ${places}::int, (
             SELECT jsonb_agg(jsonb_build_object('question', q, 'isCorrect', false, 'text', text, 'form', text))
               FROM generate_series(0, ${places}::int - 1) q,
                    concat(repeat('ﷺ', 110), CASE WHEN name::int <= 7 THEN 7 WHEN name::int <= 10 THEN 10
                                                 WHEN name::int <= 12 THEN 12 ELSE name::int END) AS text)
      FROM assignment_person WHERE assignment_id = ${assignmentId}::uuid`;
  const { counts } = await countAnswers(here.services.postgres, assignmentId, null, 100);
  expect(counts.length).toBeGreaterThan(85 * places);
  for (const count of counts) expect(Buffer.byteLength(JSON.stringify(count))).toBeLessThan(100);
  const { questions } = await resultsOf(code, '?limit=1');
  expect(questions).toHaveLength(places);
  for (const { mostWrong } of questions)
    expect(mostWrong.map(({ text, count }) => `${text.replace(/^ﷺ+/, '')} ×${count}`).join()).toBe('7 ×7,10 ×3,12 ×2');
});
