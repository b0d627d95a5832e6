// Users learn beside the games: quizzes for one, also on a list of their own, and homework. Each question is answered
// twice, and another user tries to answer one of them. [contract 3, 13, 14, 21]
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client } from '../../client/index.ts';
import type { AnswerRequest, CreateAssignmentRequest, GameRequest, GameSession } from '../../client/types.ts';
import type { ListTerm, Violation } from './history.ts';
import type { Random } from './random.ts';
import { type ClientContext, forEachLimited, ignore, patientClient } from './retry.ts';
import { type Account, OPTIONS } from './robot.ts';

/** Words of a list: enough for the distractors of its questions. */
const WORDS = 6;
/** The longest wait until an answer shows in the progress, ms: the promised ten seconds and a worker's restart. */
const PROGRESS_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 2000;
/** How long an assignment is open, ms: longer than any run takes for it. */
const OPEN_MS = 3_600_000;

export interface LearnDeps extends ClientContext {
  random: Random;
  /** The longest time before an answer, ms. */
  thinkMs: number;
}

/** The record of a quiz. */
export type QuizHistory = Awaited<ReturnType<typeof playQuiz>>;
type QuizRequest = GameRequest & { questionCount: number };

/** @param words the terms that questions are drawn from, or null if they are not known */
export async function playQuiz(
  deps: LearnDeps,
  learner: Account,
  stranger: Account,
  { words, ...request }: QuizRequest & { words: readonly ListTerm[] | null },
) {
  const session = await patientClient(deps, learner).startGame(request);
  const answers = await answerAll(deps, learner, stranger, session);
  return { ...session, userId: learner.id, questionCount: request.questionCount, words, answers };
}

/** Answers each question of a session by chance, twice; another user tries to answer the first one. */
async function answerAll(deps: LearnDeps, learner: Account, stranger: Account, session: GameSession) {
  const { random, thinkMs, signal } = deps;
  const { sessionId, questions } = session;
  const client = patientClient(deps, learner);
  const other = patientClient(deps, stranger);
  const answers = [];
  for (const [index, { questionId }] of questions.entries()) {
    await sleep(random.int(0, thinkMs), undefined, { signal });
    const asked = { sessionId, questionId, optionId: random.int(0, OPTIONS - 1) };
    const isTried = index === 0 && stranger.id !== learner.id;
    const tried = isTried ? await sendAnswer(other, asked) : { refusal: null };
    const said = await sendAnswer(client, asked);
    const again = await sendAnswer(client, asked);
    answers.push({ ...asked, ...said, again: again.refusal, stranger: tried.refusal });
  }
  return answers;
}

/** Sends an answer, again under the same key when its reply was lost. @returns the judgement or the error code */
async function sendAnswer(client: Client, answer: AnswerRequest) {
  try {
    return { result: await client.answerQuestion(answer), refusal: null };
  } catch (error) {
    // A rate limit ends the quiz. The checker judges every other refusal.
    if (!(error instanceof ApiError) || error.status === 429) throw error;
    return { result: null, refusal: error.code };
  }
}

/** The record of an assignment. */
export type HomeworkHistory = Awaited<ReturnType<typeof playHomework>>;

/**
 * Plays an assignment to its end: its owner creates it, everybody begins it twice at once, answers each question, gets
 * the attempt again in the middle, and the owner reads the results. [contract 21]
 * @param request the words of the assignment, and the number of its questions
 * @throws ApiError if the service refuses the assignment, as it does with ACCOUNT_NEEDED for guests
 */
export async function playHomework(
  deps: LearnDeps,
  owner: Account,
  people: readonly Account[],
  request: Omit<CreateAssignmentRequest, 'title' | 'closesAt'> & { questionCount: number },
) {
  const client = patientClient(deps, owner);
  const title = `Prove ${randomBytes(8).toString('hex')}`;
  const closesAt = new Date(Date.now() + OPEN_MS).toISOString();
  const { code } = await client.createAssignment({ ...request, title, closesAt });
  const attempts = await Promise.all(people.map((person) => doAttempt(deps, code, person, owner)));
  let results = await client.getAssignmentResults(code);
  while (results.next !== null) {
    const page = await client.getAssignmentResults(code, { after: results.next });
    results = { ...page, people: [...results.people, ...page.people] };
  }
  // A retried request may have made the assignment twice.
  const { assignments } = await client.getAssignments({ limit: 100 });
  for (const own of assignments.filter((assignment) => assignment.title === title))
    await client.deleteAssignment(own.code).catch(ignore('ASSIGNMENT_NOT_FOUND'));
  return { code, questionCount: request.questionCount, attempts, results };
}

async function doAttempt(deps: LearnDeps, code: string, person: Account, stranger: Account) {
  const start = () => patientClient(deps, person).startAssignment(code);
  const [session, other] = await Promise.all([start(), start()]);
  const { sessionId, questions } = session;
  const done = Math.floor(questions.length / 2);
  const answer = (part: typeof questions) => answerAll(deps, person, stranger, { ...session, questions: part });
  const first = await answer(questions.slice(0, done));
  const again = { done, session: await start() };
  const answers = [...first, ...(await answer(questions.slice(done)))];
  return { userId: person.id, sessionId, otherId: other.sessionId, questions, answers, again };
}

/** A shared list that the run has made, with its words. */
export type StudyList = Awaited<ReturnType<typeof createStudyList>>;

export async function createStudyList(deps: ClientContext, owner: Account) {
  const client = patientClient(deps, owner);
  const word = (number: number) => ({ sourceText: `word ${number}`, targetText: `parola ${number}` });
  const words = Array.from({ length: WORDS }, (_, index) => word(index + 1));
  const languages = { sourceLanguage: 'en', targetLanguage: 'it' } as const;
  const { listId } = await client.createList({ name: 'Prove', ...languages, shared: true, terms: words });
  const remove = () => client.deleteList(listId).catch(ignore('LIST_NOT_FOUND'));
  return { listId, words, remove };
}

/** The service counts reviews by UTC days unless a time zone is asked for. */
const today = () => new Date().toISOString().slice(0, 10);

/**
 * Counts each user's judged answers, and compares the sums with the service's own counts at the end: no answer is lost
 * or counted twice, whichever process died. [contract 13]
 * @throws ApiError if the service refuses the users' progress
 */
export async function countAnswers(deps: ClientContext, accounts: readonly Account[]) {
  const day = today();
  const countOf = async (account: Account) => (await patientClient(deps, account).getProgress()).reviewedToday;
  const counts = new Map<string, number>();
  await forEachLimited(accounts, async (account) => counts.set(account.id, await countOf(account)));
  return {
    /** @param answers NaN if their number can't be known, so that nothing is compared for this user */
    add: (userId: string, answers: number) => counts.set(userId, (counts.get(userId) ?? 0) + answers),
    /** @returns a violation for each user for whom the service counts another number */
    async compare(): Promise<Violation[]> {
      const violations: Violation[] = [];
      await forEachLimited(accounts, async (account) => {
        const expected = counts.get(account.id);
        if (Number.isNaN(expected)) return;
        const endMs = performance.now() + PROGRESS_WAIT_MS;
        let told = await countOf(account);
        while (told !== expected && today() === day && performance.now() < endMs) {
          await sleep(LOOK_EVERY_MS, undefined, { signal: deps.signal });
          told = await countOf(account);
        }
        const text = `${account.name} has answered ${expected} times today, the service counts ${told}`;
        // The service's count starts again at midnight, so that a run across midnight checks nothing.
        if (told !== expected && today() === day) violations.push({ kind: 'learning', text });
      });
      return violations;
    },
  };
}
