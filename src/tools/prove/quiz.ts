// Plays quizzes and homework to their ends: each question is answered twice, and another user tries to answer one of them.
// [contract 3, 21]
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  type AssignmentResults,
  type AttemptSession,
  type Client,
  type CreateAssignmentRequest,
  type GameRequest,
} from '../../client/index.ts';
import type { AttemptHistory, HomeworkHistory, ListTerm, QuizAnswer, QuizHistory } from './history.ts';
import type { Random } from './random.ts';
import { type ClientContext, patientClient } from './retry.ts';
import type { Account } from './robot.ts';

const OPTIONS = 4;

export interface QuizDeps extends ClientContext {
  /** The longest time before an answer, ms. */
  thinkMs: number;
}

export interface QuizPlan {
  request: GameRequest & { questionCount: number };
  /** The terms that questions are drawn from, or null if they are not known. */
  words: readonly ListTerm[] | null;
  /** Another user, who tries to answer a question of this quiz. */
  stranger: Account;
}

/** @throws ApiError if the service refuses the quiz */
export async function playQuiz(
  deps: QuizDeps,
  learner: Account,
  { request, words, stranger }: QuizPlan,
  random: Random,
): Promise<QuizHistory> {
  const client = patientClient(deps, learner);
  const { id } = learner;
  const { sessionId, questions } = await client.startGame(request);
  const answers = await answerAll(deps, client, { sessionId, questions }, { id, stranger, random });
  const { questionCount } = request;
  return { userId: id, sessionId, questionCount, questions, words, answers };
}

/**
 * Answers each question of a session by chance, twice; another user tries to answer the first one.
 * @param beforeEach is called before each question with the number of answers so far
 */
async function answerAll(
  deps: QuizDeps,
  client: Client,
  { sessionId, questions }: Pick<QuizHistory, 'sessionId' | 'questions'>,
  { id, stranger, random }: { id: string; stranger: Account; random: Random },
  beforeEach: (done: number) => Promise<void> = async () => {},
): Promise<QuizAnswer[]> {
  const other = patientClient(deps, stranger);
  const answers: QuizAnswer[] = [];
  for (const { questionId } of questions) {
    await beforeEach(answers.length);
    await sleep(random.int(0, deps.thinkMs), undefined, { signal: deps.signal });
    const asked = { sessionId, questionId, optionId: random.int(0, OPTIONS - 1) };
    const isTried = answers.length === 0 && stranger.id !== id;
    const tried = isTried ? (await sendAnswer(other, asked)).refusal : null;
    const said = await sendAnswer(client, asked);
    const again = await sendAnswer(client, asked);
    answers.push({ ...asked, ...said, again: again.refusal, stranger: tried });
  }
  return answers;
}

/** Sends an answer, again under the same key when its reply was lost. @returns the judgement or the error code */
async function sendAnswer(
  client: Client,
  answer: Parameters<Client['answerQuestion']>[0],
): Promise<Pick<QuizAnswer, 'result' | 'refusal'>> {
  try {
    return { result: await client.answerQuestion(answer), refusal: null };
  } catch (error) {
    // A rate limit ends the quiz. The checker judges every other refusal.
    if (!(error instanceof ApiError) || error.status === 429) throw error;
    return { result: null, refusal: error.code };
  }
}

// Plays an assignment to its end: its owner creates it, everybody begins it twice at once, answers each question twice,
// gets the attempt again in the middle, and the owner reads the results. [contract 21]

/** How long an assignment is open, ms: longer than any run takes for it. */
const OPEN_MS = 3_600_000;

/** The words of an assignment, and the number of its questions. */
type HomeworkRequest = Omit<CreateAssignmentRequest, 'title' | 'closesAt'> & { questionCount: number };

/** @throws ApiError if the service refuses the assignment, as it does with ACCOUNT_NEEDED for guests */
export async function playHomework(
  deps: QuizDeps,
  owner: Account,
  people: readonly Account[],
  request: HomeworkRequest,
  random: Random,
): Promise<HomeworkHistory> {
  const client = patientClient(deps, owner);
  const title = `Prove ${randomBytes(8).toString('hex')}`;
  const closesAt = new Date(Date.now() + OPEN_MS).toISOString();
  const { code } = await client.createAssignment({ ...request, title, closesAt });
  const attempts = await Promise.all(people.map((person) => doAttempt(deps, code, person, owner, random.fork())));
  const results = await readResults(client, code);
  await removeAll(client, title);
  return { code, questionCount: request.questionCount, attempts, results };
}

async function doAttempt(
  deps: QuizDeps,
  code: string,
  person: Account,
  stranger: Account,
  random: Random,
): Promise<AttemptHistory> {
  const client = patientClient(deps, person);
  const { id } = person;
  const start = () => client.startAssignment(code);
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
async function readResults(client: Client, code: string): Promise<AssignmentResults> {
  let page = await client.getAssignmentResults(code);
  const people = [...page.people];
  while (page.next !== null) {
    page = await client.getAssignmentResults(code, { after: page.next });
    people.push(...page.people);
  }
  return { ...page, people };
}

/** A retried request may have made the assignment twice. */
async function removeAll(client: Client, title: string): Promise<void> {
  const { assignments } = await client.getAssignments({ limit: 100 });
  for (const { code } of assignments.filter((own) => own.title === title))
    await client.deleteAssignment(code).catch((error: { code?: string }) => {
      // The reply to an earlier request may have been lost.
      if (error.code !== 'ASSIGNMENT_NOT_FOUND') throw error;
    });
}
