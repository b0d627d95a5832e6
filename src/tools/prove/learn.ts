// The users of a lobby learn beside its game: quizzes for one, also on a list of their own, and homework. Every answer is
// counted once, whichever process died. [contract 13, 14]
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Vocabulary } from '../../client/index.ts';
import { checkHomework, checkQuiz } from './checker/quiz.ts';
import type { Violation } from './history.ts';
import { pickDeck } from './play-lobby.ts';
import { playHomework, playQuiz, type QuizDeps, type QuizPlan } from './quiz.ts';
import type { Random } from './random.ts';
import { forEachLimited, patientClient } from './retry.ts';
import type { Account } from './robot.ts';

/** Words of a list: enough for the distractors of its questions. */
const WORDS = 6;
/** The longest wait until an answer shows in the progress, ms: the promised ten seconds and a worker's restart. */
const PROGRESS_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 2000;
const QUIZ_QUESTIONS = 4;
/** How often homework takes the place of a quiz. */
const HOMEWORK_SHARE = 0.5;

/** A shared list that the run has made, with its words. */
export type StudyList = Awaited<ReturnType<typeof createStudyList>>;

async function createStudyList(deps: QuizDeps, owner: Account) {
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

/** The service counts reviews by UTC days unless a time zone is asked for. */
const today = () => new Date().toISOString().slice(0, 10);

export type Learning = Awaited<ReturnType<typeof startLearning>>;

/**
 * Counts each player's judged answers and compares the sum with the service's own count at the end: no answer is lost or
 * counted twice, whichever process died. [contract 13]
 * @throws ApiError if the service refuses the players' progress
 */
export async function startLearning(
  deps: QuizDeps,
  vocabulary: Vocabulary,
  accounts: readonly Account[],
  progress: { quizzes: number; attempts: number; violations: Violation[] },
) {
  const day = today();
  const counts = new Map<string, number>();
  const lists: StudyList[] = [];
  await forEachLimited(accounts, async (account) => {
    const { reviewedToday } = await patientClient(deps, account).getProgress();
    counts.set(account.id, reviewedToday);
  });
  const drawWords = (random: Random) => ({ ...pickDeck(random, vocabulary), questionCount: QUIZ_QUESTIONS });

  /** @param answers null if their number can't be known */
  function count(userId: string, answers: number | null): void {
    const before = counts.get(userId);
    if (answers === null) counts.delete(userId);
    else if (before !== undefined) counts.set(userId, before + answers);
  }

  async function doQuiz(learner: Account, plan: QuizPlan, random: Random): Promise<void> {
    const quiz = await playQuiz(deps, learner, plan, random);
    count(learner.id, quiz.answers.length);
    progress.quizzes++;
    progress.violations.push(...checkQuiz(quiz));
  }

  /** Does homework with all of these people. @returns whether the owner could give it, which a guest can't */
  async function doHomework(owner: Account, people: readonly Account[], random: Random): Promise<boolean> {
    try {
      const homework = await playHomework(deps, owner, people, drawWords(random), random);
      for (const { userId, answers } of homework.attempts) count(userId, answers.length);
      progress.attempts += homework.attempts.length;
      progress.violations.push(...checkHomework(homework));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ACCOUNT_NEEDED') return false;
      throw error;
    }
  }

  async function checkCount(account: Account): Promise<void> {
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
    // The service's count starts again at midnight, so that a run across midnight checks nothing.
    if (told !== expected && today() === day) progress.violations.push({ kind: 'learning', text });
  }

  return {
    doHomework,
    /** @param judged the number of judged answers by user id; null if it can't be known */
    noteGame(judged: ReadonlyMap<string, number | null>): void {
      for (const [userId, answers] of judged) count(userId, answers);
    },
    /** Stops counting for users whose number of judged answers can't be known. */
    forget(lost: readonly Account[]): void {
      for (const { id } of lost) counts.delete(id);
    },
    /**
     * Does a quiz, or homework with everybody.
     * @param stranger tries to answer in the learner's quiz, or gives the homework
     * @throws ApiError if the service refuses it
     */
    async learnAlone(
      learner: Account,
      stranger: Account,
      everybody: readonly Account[],
      random: Random,
    ): Promise<void> {
      if (random.chance(HOMEWORK_SHARE) && (await doHomework(stranger, everybody, random))) return;
      await doQuiz(learner, { request: drawWords(random), words: null, stranger }, random);
    },
    /** Makes a list and does a quiz on it. @returns the list */
    async studyOne(learner: Account, stranger: Account, random: Random): Promise<StudyList> {
      const list = await createStudyList(deps, learner);
      lists.push(list);
      const request = { listId: list.listId, questionCount: QUIZ_QUESTIONS };
      await doQuiz(learner, { request, words: list.words, stranger }, random);
      return list;
    },
    /** Notes a violation for each user for whom the service counts another number, and removes all lists. */
    async finish(): Promise<void> {
      if (today() === day) await forEachLimited(accounts, checkCount);
      await forEachLimited(lists, (list) => list.remove());
    },
  };
}
