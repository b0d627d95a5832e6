// The users of a lobby learn beside its game: quizzes for one, also on a list of their own, and homework. Every answer is
// counted once, whichever process died. [contract 13, 14]
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Vocabulary } from '../../client/index.ts';
import { checkHomework, checkQuiz } from './checker/quiz.ts';
import type { ListTerm, QuizHistory, Violation } from './history.ts';
import { pickDeck } from './play-lobby.ts';
import { playHomework, playQuiz, type QuizDeps } from './quiz.ts';
import type { Random } from './random.ts';
import { forEachLimited, patientClient } from './retry.ts';
import type { Account } from './robot.ts';

/** Words of a list: enough for the distractors of its questions. */
const WORDS = 6;
/** The longest wait until an answer shows in the progress, ms: the promised ten seconds and a worker's restart. */
const PROGRESS_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 2000;

/** A shared list that the run has made. */
export interface StudyList {
  listId: string;
  words: readonly ListTerm[];
  remove(): Promise<void>;
}

async function createStudyList(deps: QuizDeps, owner: Account): Promise<StudyList> {
  const client = patientClient(deps, owner);
  const words = Array.from({ length: WORDS }, (_, index) => ({
    sourceText: `word ${index + 1}`,
    targetText: `parola ${index + 1}`,
  }));
  const name = `Prove ${randomBytes(8).toString('hex')}`;
  const languages = { sourceLanguage: 'en', targetLanguage: 'it' } as const;
  const { listId } = await client.createList({ name, ...languages, shared: true, terms: words });
  async function remove(): Promise<void> {
    const { lists } = await client.getLists();
    // A retried request may have made the list twice.
    for (const list of lists.filter((of) => of.name === name)) await client.deleteList(list.listId);
  }
  return { listId, words, remove };
}

// Counts each player's judged answers and compares the sum with the service's own count at the end: no
// answer is lost or counted twice, whichever process died. [contract 13]

export type ReviewCounts = Awaited<ReturnType<typeof startReviewCounts>>;

/** The service counts reviews by UTC days unless a time zone is asked for. */
const today = () => new Date().toISOString().slice(0, 10);

/** @throws ApiError if the service refuses the players' progress */
export async function startReviewCounts(deps: QuizDeps, accounts: readonly Account[]) {
  const day = today();
  const counts = new Map<string, number>();
  await forEachLimited(accounts, async (account) => {
    const { reviewedToday } = await patientClient(deps, account).getProgress();
    counts.set(account.id, reviewedToday);
  });
  const add = (userId: string, answers: number) => {
    const count = counts.get(userId);
    if (count !== undefined) counts.set(userId, count + answers);
  };

  return {
    /** @param judged the number of judged answers by user id; null if it can't be known */
    noteGame(judged: ReadonlyMap<string, number | null>): void {
      for (const [userId, answers] of judged) {
        if (answers === null) counts.delete(userId);
        else add(userId, answers);
      }
    },
    noteQuiz: ({ userId, answers }: Pick<QuizHistory, 'userId' | 'answers'>) => add(userId, answers.length),
    /** Stops counting for users whose number of judged answers can't be known. */
    forget(lost: readonly Account[]): void {
      for (const { id } of lost) counts.delete(id);
    },
    /** @returns a violation for each user for whom the service counts another number */
    async check(): Promise<Violation[]> {
      const violations: Violation[] = [];
      // The service's count starts again at midnight, so that a run across midnight checks nothing.
      if (today() !== day) return violations;
      await forEachLimited(accounts, async (account) => {
        const expected = counts.get(account.id);
        if (expected === undefined) return;
        const client = patientClient(deps, account);
        const endMs = performance.now() + PROGRESS_WAIT_MS;
        let { reviewedToday: told } = await client.getProgress();
        while (told !== expected && performance.now() < endMs) {
          await sleep(LOOK_EVERY_MS, undefined, { signal: deps.signal });
          told = (await client.getProgress()).reviewedToday;
        }
        const text = `${account.name} has answered ${expected} times today, the service counts ${told}`;
        if (told !== expected && today() === day) violations.push({ kind: 'learning', text });
      });
      return violations;
    },
  };
}

const QUIZ_QUESTIONS = 4;
/** How often homework takes the place of a quiz. */
const HOMEWORK_SHARE = 0.5;

/** What the users of a run learn by, and what is counted of it. */
interface LearningRun {
  deps: QuizDeps;
  vocabulary: Vocabulary;
  reviewCounts: ReviewCounts;
  lists: StudyList[];
  progress: { quizzes: number; attempts: number; violations: Violation[] };
}

/** Whose turn it is, who tries to answer in another's quiz, and who does homework. */
interface Learners {
  learner: Account;
  stranger: Account;
  everybody: readonly Account[];
}

/** Does a quiz or homework. @throws ApiError if the service refuses it */
export async function learnAlone(
  run: LearningRun,
  { learner, stranger, everybody }: Learners,
  random: Random,
): Promise<void> {
  const isHomework = random.chance(HOMEWORK_SHARE);
  if (isHomework && (await doHomework(run, stranger, everybody, random))) return;
  const { deps } = run;
  const request = drawWords(run, random);
  noteQuiz(run, await playQuiz(deps, learner, { request, words: null, stranger }, random));
}

const drawWords = ({ vocabulary }: LearningRun, random: Random) => ({
  ...pickDeck(random, vocabulary),
  questionCount: QUIZ_QUESTIONS,
});

/** Does homework with all of these people. @returns whether the owner could give it, which a guest can't */
export async function doHomework(
  run: LearningRun,
  owner: Account,
  people: readonly Account[],
  random: Random,
): Promise<boolean> {
  const { deps, reviewCounts, progress } = run;
  try {
    const homework = await playHomework(deps, owner, people, drawWords(run, random), random);
    for (const attempt of homework.attempts) reviewCounts.noteQuiz(attempt);
    progress.attempts += homework.attempts.length;
    progress.violations.push(...checkHomework(homework));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ACCOUNT_NEEDED') return false;
    throw error;
  }
}

/** Makes a list and does a quiz on it. @returns the list */
export async function studyOne(
  run: LearningRun,
  learner: Account,
  stranger: Account,
  random: Random,
): Promise<StudyList> {
  const list = await createStudyList(run.deps, learner);
  run.lists.push(list);
  const request = { listId: list.listId, questionCount: QUIZ_QUESTIONS };
  noteQuiz(run, await playQuiz(run.deps, learner, { request, words: list.words, stranger }, random));
  return list;
}

function noteQuiz({ reviewCounts, progress }: LearningRun, quiz: QuizHistory): void {
  reviewCounts.noteQuiz(quiz);
  progress.quizzes++;
  progress.violations.push(...checkQuiz(quiz));
}
