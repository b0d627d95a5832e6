// Checks the memory of a learner: a smart quiz asks new words first, and every answer is counted once.
// [contract 13, 14]
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, type Progress } from '../../client/index.ts';
import { checkQuiz } from './checker/quiz.ts';
import type { ListTerm, QuizHistory, Violation } from './history.ts';
import type { Account } from './player.ts';
import { playQuiz, type QuizDeps } from './quiz.ts';
import type { Random } from './random.ts';
import { retryUntilGranted } from './retry.ts';

/** Questions of a quiz. Two quizzes ask each word of the list once. */
const QUESTIONS_PER_QUIZ = 3;
const WORDS = 2 * QUESTIONS_PER_QUIZ;
/** The time after which a wrongly answered word is due, ms. A smart quiz asks it before new words then. */
const DUE_MS = 50_000;
/** The longest wait until an answer shows in the progress, ms: the promised ten seconds and a worker's restart. */
const PROGRESS_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 2000;

/** A shared list that the run has made. */
export interface StudyList {
  listId: string;
  words: readonly ListTerm[];
  /** Deletes the list. */
  remove(): Promise<void>;
}

export async function createStudyList(deps: QuizDeps, { cookie }: Account): Promise<StudyList> {
  const client = createClient({ baseUrl: deps.url, cookie });
  const words = Array.from({ length: WORDS }, (_, index) => ({
    sourceText: `word ${index + 1}`,
    targetText: `parola ${index + 1}`,
  }));
  const name = `Prove ${randomBytes(8).toString('hex')}`;
  const { listId } = await retryUntilGranted(deps, 'a list', () =>
    client.createList({ name, sourceLanguage: 'en', targetLanguage: 'it', shared: true, terms: words }),
  );
  async function remove(): Promise<void> {
    const { lists } = await retryUntilGranted(deps, 'the lists', () => client.getLists());
    // A retried request may have made the list twice.
    for (const list of lists.filter((of) => of.name === name))
      await retryUntilGranted(deps, 'a list less', () => client.deleteList(list.listId));
  }
  return { listId, words, remove };
}

/**
 * Plays two smart quizzes on a list that nobody has answered yet.
 * @throws ApiError if the service refuses a quiz
 */
export async function study(
  deps: QuizDeps,
  learner: Account,
  stranger: Account,
  { listId, words }: Pick<StudyList, 'listId' | 'words'>,
  random: Random,
): Promise<{ quizzes: QuizHistory[]; violations: Violation[] }> {
  const request = { listId, order: 'smart' as const, questionCount: QUESTIONS_PER_QUIZ };
  const plan = { request, words, stranger };
  const begunMs = performance.now();
  const first = await playQuiz(deps, learner, plan, random);
  const answered = new Set(first.questions.map(({ prompt }) => prompt));
  const isSeen = await waitForProgress(deps, learner, ({ decks }) => {
    const deck = decks.find((of) => 'listId' in of && of.listId === listId);
    return deck?.seen === answered.size && deck.questions === WORDS;
  });
  const second = await playQuiz(deps, learner, plan, random);
  const isEarly = performance.now() - begunMs < DUE_MS;
  const repeated = second.questions.filter(({ prompt }) => answered.has(prompt));
  const texts = [
    ...(isSeen ? [] : [`${learner.name}'s ${answered.size} answers do not show in the progress`]),
    ...(isSeen && isEarly && repeated.length > 0
      ? [`${learner.name} is asked ${repeated[0]?.prompt} again before what is new`]
      : []),
  ];
  return {
    quizzes: [first, second],
    violations: [...texts.map((text) => ({ kind: 'learning', text })), ...[first, second].flatMap(checkQuiz)],
  };
}

/** Reads a user's progress until it fulfils a condition. @returns whether it did within the promised time */
export async function waitForProgress(
  deps: QuizDeps,
  { cookie }: Account,
  isExpected: (progress: Progress) => boolean,
): Promise<boolean> {
  const client: Client = createClient({ baseUrl: deps.url, cookie });
  const endMs = performance.now() + PROGRESS_WAIT_MS;
  for (;;) {
    const progress = await retryUntilGranted(deps, 'the progress', () => client.getProgress());
    if (isExpected(progress)) return true;
    if (performance.now() > endMs) return false;
    await sleep(LOOK_EVERY_MS, undefined, { signal: deps.signal });
  }
}
