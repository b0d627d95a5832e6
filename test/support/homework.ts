// Assignments on two replicas, with their owner and people who do them.
import { beforeAll, expect } from 'vitest';
import type { StoredQuestion } from '../../src/assignments/rules.ts';
import type { Assignment, AttemptSession } from '../../src/assignments/schema.ts';
import { recountPeople } from '../../src/assignments/store.ts';
import type { HttpClient } from './http-client.ts';
import { give } from './quizzes.ts';
import { type TestService, useReplicas } from './service.ts';
import { createPerson, type Person } from './users.ts';

export const ASSIGNMENTS = '/api/v1/assignments';

/** How an answer is judged; only a typed one may be close. */
type How = 'right' | 'close' | 'wrong';

export const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** @returns the body of a request for an assignment of three questions, which closes in an hour, with `changes` */
export const assignmentOf = (changes: object = {}) => {
  return { title: 'Unit 3', closesAt: inMs(3_600_000), questionCount: 3, ...changes };
};

export function useHomework() {
  const { replicas, stores } = useReplicas(2, {}, { hasWords: true });
  const [here, there] = replicas as [TestService, TestService];
  const owner = {} as Person;
  beforeAll(async () => void Object.assign(owner, await person('Ms Rossi')));

  const person = (name?: string) => createPerson(here, name === undefined ? {} : { name });

  /** Answers the question at `place` of the session. */
  async function answer(client: HttpClient, session: AttemptSession, place: number, how: How) {
    const { questionId, options } = session.questions[place] ?? {};
    const { assignment } = await here.services.db.assignmentAttempt.findUniqueOrThrow({
      where: { id: session.sessionId },
      select: { assignment: { select: { questions: true } } },
    });
    const questions = assignment.questions as unknown as StoredQuestion[];
    const [correctText] = questions.find((known) => known.questionId === questionId)?.texts ?? [];
    const texts = { right: correctText, close: `${correctText}x`, wrong: 'qqqqqq' };
    const isMeant = ({ text }: { text: string }) => (text === correctText) === (how === 'right');
    const given = options ? { optionId: options.find(isMeant)?.optionId } : { text: texts[how] };
    return give(client, session, place, given);
  }

  /** Creates an assignment, by default of the owner. */
  async function assign(request?: object, { client }: Pick<Person, 'client'> = owner): Promise<Assignment> {
    const { status, body } = await client.post(ASSIGNMENTS, assignmentOf(request));
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  /** Starts an attempt, which must begin or go on. */
  async function start(client: HttpClient, code: string): Promise<AttemptSession> {
    const { status, body } = await client.post(`${ASSIGNMENTS}/${code}/start`, {});
    expect([200, 201], JSON.stringify(body)).toContain(status);
    return body;
  }

  return {
    stores,
    here,
    there,
    owner,
    person,
    /** @returns a new person, as a guest is stored */
    async guest(name?: string): Promise<Person> {
      const made = await person(name);
      const data = { isAnonymous: true, emailVerified: false };
      await here.services.db.user.update({ where: { id: made.user.id }, data });
      return made;
    },
    answer,
    assign,
    start,
    /** Creates an assignment, of which a person begins an attempt, by default a new one. */
    async begin(request?: object, by?: Person) {
      const { code, assignmentId } = await assign(request);
      const { client, user } = by ?? (await person());
      return { code, assignmentId, client, user, session: await start(client, code) };
    },
    /** Answers all questions of a session that are not answered. @param right the number of right answers */
    async finish(client: HttpClient, session: AttemptSession, right: number): Promise<void> {
      const done = session.answered.map(({ questionId }) => questionId);
      const open = [...session.questions.entries()].filter(([, { questionId }]) => !done.includes(questionId));
      for (const [index, [place]] of open.entries())
        expect((await answer(client, session, place, index < right ? 'right' : 'wrong')).status).toBe(200);
    },
    /** Adds people of an id each to an assignment, as their starts do. Their names are the numbers from 1. */
    async invent(assignmentId: string, people: number, isGuest = false): Promise<void> {
      const { db } = here.services;
      await db.$executeRaw`
        INSERT INTO assignment_person (assignment_id, user_id, name, is_guest)
        SELECT ${assignmentId}::uuid, gen_random_uuid(), n, ${isGuest} FROM generate_series(1, ${people}) n`;
      await db.$transaction((tx) => recountPeople(tx, [assignmentId]));
    },
    /** Moves the closing of an assignment. @param ms from now */
    close: (code: string, ms = -1) => owner.client.patch(`${ASSIGNMENTS}/${code}`, { closesAt: inMs(ms) }),
    /** @returns the number of statements that wait for a lock */
    async lockWaits(): Promise<number> {
      const waiting = await here.services.db.$queryRaw<unknown[]>`
        SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      return waiting.length;
    },
  };
}
