// Attempts of assignments: everybody gets the same words, each attempt in an order of its own, and every acknowledged
// answer is stored. [contract 21]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AttemptSession } from '../../src/assignments/schema.ts';
import { ASSIGNMENTS, inMs, useHomework } from '../support/homework.ts';
import { codeOf, createHttpClient, type HttpClient } from '../support/http-client.ts';
import { ANSWER, commitmentTo, expectRepeatable, give } from '../support/quizzes.ts';
import { startService, type TestService } from '../support/service.ts';
import { signIn, type TestUser } from '../support/users.ts';

const { stores, here, there, owner, person, assign, start, begin, answer, finish, close } = useHomework();

const startOf = (client: HttpClient, code: string) => client.post(`${ASSIGNMENTS}/${code}/start`);
const viewOf = async (client: HttpClient, code: string) => (await client.get(`${ASSIGNMENTS}/${code}`)).body;
const idsOf = ({ questions }: AttemptSession) => questions.map(({ questionId }) => questionId);

/** @returns a client of a service that has other sessions than the replicas */
async function clientOf({ url, services }: TestService, { id }: TestUser): Promise<HttpClient> {
  return createHttpClient(url, { cookie: await signIn(services, id) });
}

describe('POST /api/v1/assignments/:code/start', () => {
  test('gives everybody the same questions, in an order and with options, nonces of their own', async () => {
    const closesAt = inMs(3_600_000);
    const { code, session: one } = await begin({ questionCount: 10, closesAt });
    const other = await start((await person()).client, code);
    expect(one).toMatchObject({ attempt: 1, answered: [], expiresAt: closesAt });
    expect(idsOf(one).toSorted()).toEqual(idsOf(other).toSorted());
    expect(idsOf(one)).not.toEqual(idsOf(other));
    const orders = idsOf(one).map((id) => {
      const [mine, theirs] = [one, other].map(({ questions }) => questions.find(({ questionId }) => questionId === id));
      const texts = [mine, theirs].map((question) => question?.options?.map(({ text }) => text));
      expect(texts[0]?.toSorted()).toEqual(texts[1]?.toSorted());
      expect(mine?.commitment).not.toBe(theirs?.commitment);
      return texts.map((some) => some?.join());
    });
    expect(orders.some(([mine, theirs]) => mine !== theirs)).toBe(true);
  });

  test('begins one of many concurrent attempts, on several replicas, and gives it to all', async () => {
    const { code } = await assign({ attempts: 10 });
    const { client, user } = await person();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => startOf(at % 2 ? client : client.at(there.url), code)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.sessionId)).size).toBe(1);
    expect(await here.services.db.assignmentAttempt.count({ where: { userId: user.id } })).toBe(1);
  });

  test('gives an open attempt again with what is judged, on any replica', async () => {
    const { code, client, session } = await begin({ questionCount: 4 });
    const judged = [(await answer(client, session, 2, 'right')).body, (await answer(client, session, 0, 'wrong')).body];
    const browser = client.at(there.url);
    const again = await startOf(browser, code);
    expect(again).toMatchObject({ status: 200, body: { ...session, answered: judged } });
    expect(judged.map(({ score }) => score)).toEqual([
      { correct: 1, answered: 1, total: 4 },
      { correct: 1, answered: 2, total: 4 },
    ]);
    expect((await answer(browser, session, 1, 'right')).status).toBe(200);
  });

  test('counts attempts, each with new nonces, up to the number that is left', async () => {
    const { code, client, session: first } = await begin({ attempts: 2 });
    await finish(client, first, 1);
    const second = await start(client, code);
    expect(second.attempt).toBe(2);
    const commitments = [first, second].flatMap(({ questions }) => questions.map(({ commitment }) => commitment));
    expect(new Set(commitments).size).toBe(6);
    await finish(client, second, 3);
    expect(codeOf(await startOf(client, code))).toEqual([409, 'NO_ATTEMPTS_LEFT']);
    const best = { correct: 3, total: 3 };
    expect(await viewOf(client, code)).toMatchObject({ attemptsLeft: 0, openAttempt: null, best });
    await owner.client.patch(`${ASSIGNMENTS}/${code}`, { attempts: 3 });
    expect((await start(client, code)).attempt).toBe(3);
  });

  test('is refused before the opening and after the closing, and works again after a reopening', async () => {
    const { code } = await assign({ opensAt: inMs(1_000_000) });
    const { client } = await person();
    expect(codeOf(await startOf(client, code))).toEqual([409, 'ASSIGNMENT_NOT_OPEN']);
    await owner.client.patch(`${ASSIGNMENTS}/${code}`, { opensAt: inMs(-1000) });
    const session = await start(client, code);
    await answer(client, session, 0, 'right');
    await close(code);
    expect(codeOf(await startOf(client, code))).toEqual([409, 'ASSIGNMENT_CLOSED']);
    expect(codeOf(await answer(client, session, 1, 'right'))).toEqual([409, 'ASSIGNMENT_CLOSED']);
    const { sessionId } = session;
    expect(await viewOf(client, code)).toMatchObject({ best: { correct: 1, total: 3 }, openAttempt: null });
    await close(code, 60_000);
    expect(await viewOf(client, code)).toMatchObject({ best: null, openAttempt: sessionId, attemptsLeft: 0 });
    const again = await start(client, code);
    expect([again.sessionId, again.answered.length]).toEqual([sessionId, 1]);
    await finish(client, again, 2);
    await close(code);
    expect(codeOf(await answer(client, session, 1, 'right'))).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  test('refuses right codes after too many wrong ones, apart from one’s own and begun assignments', async () => {
    const limited = await startService(stores, { RATE_LIMIT_CODE_MISS_MAX: '2' });
    const { code, user: pupil } = await begin();
    const { code: unknown } = await assign();
    for (const user of [pupil, owner.user]) {
      const browser = await clientOf(limited, user);
      const tries = [];
      for (const wrong of ['AAAAAAAA', 'x', code.slice(1)])
        tries.push((await browser.get(`${ASSIGNMENTS}/${wrong}`)).status);
      expect(tries).toEqual([404, 404, 429]);
      expect((await startOf(browser, code)).status).toBeLessThan(300);
    }
    expect(codeOf(await startOf(await clientOf(limited, pupil), unknown))).toEqual([429, 'RATE_LIMITED']);
    expect((await startOf(await clientOf(limited, owner.user), unknown)).status).toBe(201);
    await limited.stop();
  });
});

describe('POST /api/v1/game/answer in an attempt', () => {
  test('judges by the commitment of the attempt, and counts', async () => {
    const { client, session } = await begin();
    const { sessionId } = session;
    for (const [place, how] of (['right', 'wrong', 'right'] as const).entries()) {
      const { questionId = '', options = [], commitment } = session.questions[place] ?? {};
      const { status, body } = await answer(client, session, place, how);
      const { correctOptionId, selectedOptionId, nonce } = body;
      const score = { correct: [1, 1, 2][place], answered: place + 1, total: 3 };
      const chosen = { selectedOptionId: expect.any(Number), correctOptionId: expect.any(Number) };
      const judged = { sessionId, questionId, nonce, ...chosen, isCorrect: how === 'right', score };
      expect({ status, body }).toEqual({ status: 200, body: judged });
      expect(selectedOptionId === correctOptionId).toBe(how === 'right');
      expect(options.map(({ optionId }) => optionId)).toEqual([0, 1, 2, 3]);
      expect(commitmentTo(questionId, correctOptionId, nonce)).toBe(commitment);
    }
    expect(codeOf(await answer(client, session, 0, 'right'))).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  test('judges a typed answer by the translations that were stored with the question', async () => {
    const { code, client, session } = await begin({ answerMode: 'typed', questionCount: 4 });
    const { body } = await answer(client, session, 0, 'right');
    expect(body).toMatchObject({ verdict: 'right', correctText: body.submittedText });
    expect(body.accepted[0]).toBe(body.correctText);
    expect((await give(client, session, 1, { text: `${body.correctText}x` })).body.verdict).toBe('wrong');
    const again = await start(client, code);
    expect(again.answered.map(({ verdict }) => verdict)).toEqual(['right', 'wrong']);
    expect(again.questions[0]).toMatchObject({ answerMode: 'typed' });
    expect(again.questions[0]).not.toHaveProperty('options');
  });

  test('refuses in the order of the contract, and nothing is changed by it', async () => {
    const [{ code, client, session }, stranger] = [await begin(), await person()];
    const { sessionId } = session;
    const [answered, open] = idsOf(session);
    await answer(client, session, 0, 'right');
    const unknown = randomUUID();
    const noAttempt = sessionId.replace(/^.{8}/, unknown.slice(0, 8));
    const ask = async (request: object, browser = client) =>
      codeOf(await browser.post(ANSWER, { sessionId, optionId: 0, ...request }));
    expect(await ask({ sessionId: noAttempt, questionId: open })).toEqual([404, 'SESSION_NOT_FOUND']);
    const forbidden = [403, 'SESSION_FORBIDDEN'];
    for (const questionId of [answered, open, unknown])
      expect(await ask({ questionId }, stranger.client)).toEqual(forbidden);
    expect(await ask({ questionId: unknown })).toEqual([404, 'QUESTION_NOT_FOUND']);
    const typed = { questionId: answered, optionId: undefined, text: 'x' };
    expect(await ask(typed)).toEqual([400, 'VALIDATION_FAILED']);
    expect(await ask({ questionId: answered })).toEqual([409, 'QUESTION_ALREADY_ANSWERED']);
    await close(code);
    for (const questionId of [answered, open, unknown])
      expect(await ask({ questionId })).toEqual([409, 'ASSIGNMENT_CLOSED']);
    expect(await ask({ questionId: open }, stranger.client)).toEqual(forbidden);
    await close(code, 60_000);
    expect((await start(client, code)).answered).toHaveLength(1);
  });

  test('with an Idempotency-Key gets the same reply again, with the effect of one', async () => {
    const { client, session } = await begin({ questionCount: 4, answerMode: 'typed' });
    await expectRepeatable([client, client.at(there.url)], session, [{ text: 'caff\u00e8' }, { text: 'casa' }]);
  });

  test('gets the reply of its key for 60 s, whatever has become of the assignment, and then not', async () => {
    const { code, client, session } = await begin({ questionCount: 2 });
    const ask = (place: number) => give(client, session, place, undefined, { 'idempotency-key': 'mine' });
    const first = await ask(0);
    await close(code);
    expect((await ask(0)).body).toEqual(first.body);
    await close(code, 60_000);
    await here.services.db.$executeRaw`
      UPDATE assignment_attempt SET answers = jsonb_set(answers, '{0,judgedAtMs}', to_jsonb(
        (answers->0->>'judgedAtMs')::bigint - 60000)) WHERE id = ${session.sessionId}::uuid`;
    expect(codeOf(await ask(0))).toEqual([409, 'QUESTION_ALREADY_ANSWERED']);
    expect((await ask(1)).body.score).toMatchObject({ answered: 2 });
  });
});
