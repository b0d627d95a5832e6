// Starts, answers, changes, hand-overs and removals of people come at once on two replicas, in random batches. After
// each batch the stored attempts and counts are compared with what was acknowledged. INTERLEAVINGS and SEED in the
// environment set the number of runs and the seed. [contract 21]
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handOver } from '../../src/accounts/hand-over.ts';
import type { StoredAnswer } from '../../src/assignments/rules.ts';
import { answerAttempt, startAttempt } from '../../src/assignments/take-attempt.ts';
import { AppError } from '../../src/errors.ts';
import { learn } from '../../worker/learn.ts';
import { ASSIGNMENTS, inMs, useHomework } from '../support/homework.ts';
import { createSignedInUser } from '../support/users.ts';

const RUNS = Math.ceil(Number(process.env.INTERLEAVINGS ?? 100) / 10);
const SEED = Number(process.env.SEED ?? 20_261_125);
const QUESTIONS = 3;
const ATTEMPTS = 2;
/** The accounts, and then the guest, which becomes the first of them. */
const PEOPLE = 3;
const GUEST = PEOPLE - 1;

const { here, there, owner, assign } = useHomework();

type Step =
  | { do: 'start'; person: number; replica: number }
  | { do: 'answer'; person: number; replica: number; place: number; optionId: number }
  | { do: 'remove'; person: number }
  | { do: 'close' | 'open' | 'hand over' | 'learn' };

const person = fc.nat({ max: PEOPLE - 1 });
const replica = fc.nat({ max: 1 });
const place = fc.nat({ max: QUESTIONS - 1 });
const optionId = fc.nat({ max: 3 });
const STEPS: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('start'), person, replica }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('answer'), person, replica, place, optionId }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('close', 'open', 'open', 'hand over', 'learn') }) },
);
const BATCHES = fc.array(fc.array(STEPS, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 12 });

/** The refusals that a start or an answer may get here. */
const REFUSALS = [
  'ASSIGNMENT_CLOSED',
  'NO_ATTEMPTS_LEFT',
  'SESSION_NOT_FOUND',
  'SESSION_FORBIDDEN',
  'QUESTION_ALREADY_ANSWERED',
  'UNAUTHENTICATED',
];

/** What a run knows. */
const createKnown = (code: string, users: string[]) => ({
  code,
  users,
  /** Whether the guest has become an account. */
  isHandedOver: false,
  /** The last session of each person. */
  sessions: new Map<number, { sessionId: string; questionIds: string[] }>(),
  /** By session the acknowledged answers. */
  acknowledged: new Map<string, Map<string, boolean>>(),
  /** The sessions of removed people. */
  removed: new Set<string>(),
});
type Known = ReturnType<typeof createKnown>;

const inStartTurn = <T>(_: string, work: () => Promise<T>) => work();

async function run(batches: Step[][]): Promise<void> {
  const { code, assignmentId } = await assign({ questionCount: QUESTIONS, attempts: ATTEMPTS });
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => createSignedInUser(here.services)));
  const users = people.map(({ id }) => id);
  const known = createKnown(code, users);
  for (const batch of batches) {
    await Promise.all(batch.map((step) => take(known, step)));
    await compare(known, assignmentId, batch);
    await compareCounts(assignmentId);
  }
  await learn(here.services);
  const answers = [...known.acknowledged.values()].reduce((sum, { size }) => sum + size, 0);
  const where = { userId: { in: users } };
  const { _sum } = await here.services.db.reviewCount.aggregate({ where, _sum: { reviews: true } });
  expect(_sum.reviews ?? 0).toBe(answers);
}

async function take(known: Known, step: Step): Promise<void> {
  try {
    if (step.do === 'start' || step.do === 'answer') return await act(known, step);
    if (step.do === 'learn') return await learn(there.services);
    const [account = ''] = known.users;
    const guest = known.users[GUEST] ?? '';
    if (step.do === 'hand over') {
      await handOver(here.services.db, guest, account);
      known.isHandedOver = true;
      return;
    }
    if (step.do === 'remove') {
      const path = `${ASSIGNMENTS}/${known.code}/people/${known.users[step.person]}`;
      expect((await owner.client.delete(path)).status).toBe(204);
      return;
    }
    const closesAt = inMs(step.do === 'close' ? -1 : 3_600_000);
    expect((await owner.client.patch(`${ASSIGNMENTS}/${known.code}`, { closesAt })).status).toBe(200);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(REFUSALS).toContain(error.code);
  }
}

async function act(known: Known, step: Extract<Step, { replica: number }>): Promise<void> {
  const { services } = step.replica === 0 ? here : there;
  const userId = known.users[step.person] ?? '';
  if (step.do === 'start') {
    const sender = { userId, address: '203.0.113.7' };
    const { session } = await startAttempt({ ...services, inStartTurn }, known.code, sender);
    const { sessionId, questions } = session;
    const questionIds = questions.map(({ questionId }) => questionId);
    known.sessions.set(step.person, { sessionId, questionIds });
    return;
  }
  const session = known.sessions.get(step.person);
  if (!session) return;
  const { sessionId, questionIds } = session;
  const questionId = questionIds[step.place] ?? '';
  const request = { sessionId, questionId, optionId: step.optionId };
  const { isCorrect } = await answerAttempt(services, userId, request);
  const answers = known.acknowledged.get(sessionId) ?? new Map<string, boolean>();
  expect(answers.has(questionId)).toBe(false);
  known.acknowledged.set(sessionId, answers.set(questionId, isCorrect));
}

/** Compares the stored attempts with the acknowledged answers. A removal may take any of them along. */
async function compare(expected: Known, assignmentId: string, batch: Step[]): Promise<void> {
  const { questions } = await here.services.db.assignment.findUniqueOrThrow({ where: { id: assignmentId } });
  const ids = (questions as { questionId: string }[]).map(({ questionId }) => questionId);
  const where = { assignmentId };
  const attempts = await here.services.db.assignmentAttempt.findMany({ where, orderBy: { number: 'asc' } });
  const { acknowledged, isHandedOver, removed, users } = expected;
  const found = new Set(attempts.map(({ id }) => id));
  const missing = acknowledged.keys().filter((id) => !found.has(id));
  if (batch.some((step) => step.do === 'remove')) for (const id of missing) removed.add(id);
  else expect(new Set(missing)).toEqual(removed);
  if (isHandedOver) expect(attempts.map(({ userId }) => userId)).not.toContain(users[GUEST]);
  for (const { id, answers, answered, correct } of attempts) {
    const stored = answers as unknown as StoredAnswer[];
    const judged = stored.map(({ question, isCorrect }) => [ids[question] ?? '', isCorrect] as const);
    const byQuestion = new Map(judged);
    expect(byQuestion).toEqual(acknowledged.get(id) ?? new Map());
    const right = judged.filter(([, isCorrect]) => isCorrect).length;
    expect([answered, correct]).toEqual([judged.length, right]);
    expect(judged).toHaveLength(byQuestion.size);
  }
  for (const own of Map.groupBy(attempts, ({ userId }) => userId).values()) {
    expect(own.map(({ number }) => number)).toEqual(own.map((_, at) => at + 1));
    expect(own.filter(({ finishedAt }) => finishedAt === null).length).toBeLessThanOrEqual(1);
  }
}

/** Compares the counts of an assignment with its people. */
async function compareCounts(assignmentId: string): Promise<void> {
  const [row] = await here.services.db.$queryRaw<[{ stored: number[]; counted: number[] }]>`
    SELECT ARRAY[started_count, guest_count,
                 (SELECT count(*) FROM assignment_person WHERE assignment_id = a.id AND has_finished)]::int[] AS stored,
           ARRAY[(SELECT count(*) FROM assignment_person WHERE assignment_id = a.id),
                 (SELECT count(*) FROM assignment_person WHERE assignment_id = a.id AND is_guest),
                 (SELECT count(DISTINCT user_id) FROM assignment_attempt
                   WHERE assignment_id = a.id AND finished_at IS NOT NULL)]::int[] AS counted
      FROM assignment a WHERE id = ${assignmentId}::uuid`;
  expect(row.stored).toEqual(row.counted);
}

test(
  `in ${RUNS} runs every acknowledged answer is stored once, and a person has one open attempt at most`,
  { timeout: 60_000 + RUNS * 10_000 },
  () => fc.assert(fc.asyncProperty(BATCHES, run), { numRuns: RUNS, seed: SEED, endOnFailure: true }),
);
