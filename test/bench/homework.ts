// Measures homework that is handed in at the last moment: ten thousand people send their last answer within the last
// minute before their assignments close, each of which has as many people as it may have. Every acknowledged answer
// must be stored, once. The floor of the cost is the last answer of a quiz for one, whose state is in Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { createAssignment } from '../../src/assignments/create-assignment.ts';
import { CreateAssignmentRequest } from '../../src/assignments/schema.ts';
import { BUDGETS } from '../../src/budgets.ts';
import { newAttemptId } from '../../src/singleplayer/keys.ts';
import { GameRequest } from '../../src/singleplayer/schema.ts';
import { startSession } from '../../src/singleplayer/start-session.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { groupsOf, inParallel } from './batches.ts';
import { COST_NAMES, comparing, type Figure } from './figures.ts';
import { openHttp } from './http-load.ts';
import { measure, type Parts } from './meter.ts';
import type { Stage } from './stage.ts';

const PEOPLE = 10_000;
const MINUTE_MS = 60_000;
/** The same rate for a tenth of the time. */
const SHORT = 10;
const QUESTIONS = 10;
/** How long after the minute the assignment closes, ms: the longest time in which an answer may arrive. */
const SLACK_MS = 3000;

/** Somebody's last answer. */
interface LastAnswer {
  user: TestUser;
  sessionId: string;
  questionId: string;
}

export const measureHomework = (stage: Stage) => handIn(stage, PEOPLE, MINUTE_MS);
export const measureHomeworkShortly = (stage: Stage) => handIn(stage, PEOPLE / SHORT, MINUTE_MS / SHORT);

async function handIn(stage: Stage, people: number, withinMs: number): Promise<Figure[]> {
  const parts = { apis: [await stage.startApi(), await stage.startApi()] };
  const users = await inParallel(Array(people), () => createSignedInUser(stage.services));
  const quizzed = await sendAll(stage, parts, await prepareQuizzes(stage, users), withinMs);
  const classes: Awaited<ReturnType<typeof prepareHomework>>[] = [];
  for (const pupils of groupsOf(BUDGETS.people.max, users))
    classes.push(await prepareHomework(stage, pupils, withinMs));
  const answers = classes.flatMap((one) => one.answers);
  const handed = await sendAll(stage, parts, answers, withinMs);
  for (const one of classes) await requireStored(stage, one.assignmentId, one.answers.length);
  await Promise.all(parts.apis.map((api) => api.stop()));
  const { quantiles, costs } = comparing([handed], 'a quiz’s last answer', [quizzed]);
  const withoutWorker = COST_NAMES.filter(([part]) => part !== 'worker');
  return [
    ...quantiles('homework’s last answer', ({ result }) => result, [0.5, 0.99, 1]),
    ...costs('homework’s last answer', 'ms', ({ cost }) => [cost, people], withoutWorker),
  ];
}

/** Starts a quiz of one question for each user. */
async function prepareQuizzes({ services }: Stage, users: readonly TestUser[]) {
  const deps = { ...services, random: () => 0, sessionTtlSeconds: 3600 };
  const request = GameRequest.parse({ questionCount: 1 });
  return inParallel(users, async (user): Promise<LastAnswer> => {
    const { sessionId, questions } = await startSession(deps, user, request);
    return { user, sessionId, questionId: questions[0]?.questionId ?? '' };
  });
}

/** Creates an assignment, and for each user an attempt that lacks the last answer. */
async function prepareHomework({ services }: Stage, users: readonly TestUser[], withinMs: number) {
  const { db } = services;
  const owner = await createSignedInUser(services);
  const closesAt = new Date(Date.now() + MINUTE_MS).toISOString();
  const request = CreateAssignmentRequest.parse({ title: 'Bench', questionCount: QUESTIONS, closesAt });
  const { assignmentId } = await createAssignment({ ...services, random: () => 0 }, owner.id, request);
  const ids = users.map(newAttemptId);
  const userIds = users.map(({ id }) => id);
  await db.$executeRaw`
    INSERT INTO assignment_person (assignment_id, user_id, name, is_guest)
    SELECT ${assignmentId}::uuid, user_id, 'Pupil', false FROM unnest(${userIds}::uuid[]) AS u (user_id)`;
  await db.$executeRaw`
    INSERT INTO assignment_attempt (id, assignment_id, user_id, number, secret, answered, correct, learned, answers)
    SELECT id, ${assignmentId}::uuid, user_id, 1, gen_random_uuid()::text, ${QUESTIONS - 1}, 0, ${QUESTIONS - 1},
           (SELECT jsonb_agg(jsonb_build_object('question', place, 'option', 1, 'isCorrect', false, 'judgedAtMs', 0))
              FROM generate_series(0, ${QUESTIONS - 2}) place)
      FROM unnest(${ids}::uuid[], ${userIds}::uuid[]) AS t (id, user_id)`;
  const questions = (await services.attempts.questionsOf(assignmentId)) ?? [];
  const questionId = questions.at(-1)?.questionId ?? '';
  const data = { closesAt: new Date(Date.now() + withinMs + SLACK_MS) };
  await db.assignment.update({ where: { id: assignmentId }, data });
  const answers = users.map((user, at): LastAnswer => ({ user, sessionId: ids[at] ?? '', questionId }));
  return { assignmentId, answers };
}

/** Sends all answers at a constant rate, each over a connection of its own. @returns how long each took, ms */
function sendAll(stage: Stage, parts: Parts, answers: readonly LastAnswer[], withinMs: number) {
  const { apis } = parts;
  return measure(stage, parts, async () => {
    const startedMs = performance.now();
    return Promise.all(
      answers.map(async ({ user, ...asked }, at) => {
        const dueMs = startedMs + (at / answers.length) * withinMs;
        await sleep(Math.max(0, dueMs - performance.now()));
        const connection = await openHttp(apis[at % apis.length]?.url ?? '', user.cookie);
        await connection.post('/api/v1/game/answer', { ...asked, optionId: at % 4 }, 200);
        connection.close();
        // The time counts from when the answer was due, so that a late bench or replica is not overlooked.
        return performance.now() - dueMs;
      }),
    );
  });
}

/** @throws Error unless each answer is stored once */
async function requireStored({ services }: Stage, assignmentId: string, people: number) {
  const stored = await services.db.assignmentAttempt.count({
    where: { assignmentId, answered: QUESTIONS, finishedAt: { not: null } },
  });
  const finished = await services.db.assignmentPerson.count({ where: { assignmentId, hasFinished: true } });
  const [{ answers }] = await services.db.$queryRaw<[{ answers: number }]>`
    SELECT sum(jsonb_array_length(answers))::int AS answers FROM assignment_attempt
     WHERE assignment_id = ${assignmentId}::uuid`;
  if (stored !== people || finished !== people || answers !== people * QUESTIONS)
    throw new Error(`Of ${people} last answers ${stored} are stored, and ${answers} answers in all.`);
}
