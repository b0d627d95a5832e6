// Plays an assignment to its end: its owner creates it, everybody begins it twice at once, answers each question twice,
// gets the attempt again in the middle, and the owner reads the results. [contract 21]
import { randomBytes } from 'node:crypto';
import {
  type AssignmentResults,
  type AttemptSession,
  type Client,
  type CreateAssignmentRequest,
  createClient,
} from '../../client/index.ts';
import type { AttemptHistory, HomeworkHistory } from './history.ts';
import type { Account } from './player.ts';
import { answerAll, type QuizDeps } from './quiz.ts';
import type { Random } from './random.ts';
import { retryUntilGranted } from './retry.ts';

/** How long an assignment is open, ms: longer than any run takes for it. */
const OPEN_MS = 3_600_000;

/** The words of an assignment, and the number of its questions. */
export type HomeworkRequest = Omit<CreateAssignmentRequest, 'title' | 'closesAt'> & { questionCount: number };

/** @throws ApiError if the service refuses the assignment, as it does with ACCOUNT_NEEDED for guests */
export async function playHomework(
  deps: QuizDeps,
  owner: Account,
  people: readonly Account[],
  request: HomeworkRequest,
  random: Random,
): Promise<HomeworkHistory> {
  const client = createClient({ baseUrl: deps.url, cookie: owner.cookie });
  const title = `Prove ${randomBytes(8).toString('hex')}`;
  const { code } = await retryUntilGranted(deps, 'an assignment', () => {
    const closesAt = new Date(Date.now() + OPEN_MS).toISOString();
    return client.createAssignment({ ...request, title, closesAt });
  });
  const attempts = await Promise.all(people.map((person) => doAttempt(deps, code, person, owner, random.fork())));
  const results = await readResults(deps, client, code);
  await removeAll(deps, client, title);
  return { code, questionCount: request.questionCount, attempts, results };
}

async function doAttempt(
  deps: QuizDeps,
  code: string,
  { id, cookie }: Account,
  stranger: Account,
  random: Random,
): Promise<AttemptHistory> {
  const client = createClient({ baseUrl: deps.url, cookie });
  const start = () => retryUntilGranted(deps, 'a start', () => client.startAssignment(code));
  const [session, other] = (await Promise.all([start(), start()])) as [AttemptSession, AttemptSession];
  let again: AttemptHistory['again'] = null;
  const middle = Math.floor(session.questions.length / 2);
  const answers = await answerAll(deps, client, session, { id, stranger, random }, async (done) => {
    if (done === middle) again = { done, session: await start() };
  });
  const { sessionId, questions } = session;
  return { userId: id, sessionId, otherId: other.sessionId, questions, answers, again };
}

/** Reads all pages of the results. */
async function readResults(deps: QuizDeps, client: Client, code: string): Promise<AssignmentResults> {
  const read = (after?: string) =>
    retryUntilGranted(deps, 'the results', () => client.getAssignmentResults(code, { after }));
  let page = await read();
  const people = [...page.people];
  while (page.next !== null) {
    page = await read(page.next);
    people.push(...page.people);
  }
  return { ...page, people };
}

/** A retried request may have made the assignment twice. */
async function removeAll(deps: QuizDeps, client: Client, title: string): Promise<void> {
  const { assignments } = await retryUntilGranted(deps, 'the assignments', () => client.getAssignments({ limit: 100 }));
  for (const { code } of assignments.filter((own) => own.title === title))
    await retryUntilGranted(deps, 'an assignment less', () =>
      client.deleteAssignment(code).catch((error: { code?: string }) => {
        // The reply to an earlier request may have been lost.
        if (error.code !== 'ASSIGNMENT_NOT_FOUND') throw error;
      }),
    );
}
