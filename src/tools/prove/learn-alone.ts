// The users of a lobby learn beside its game: quizzes for one, a list to study, and homework.
import { ApiError, type Vocabulary } from '../../client/index.ts';
import { checkHomework } from './checker/homework.ts';
import { checkQuiz } from './checker/quiz.ts';
import { pickDeck } from './draw-settings.ts';
import type { QuizHistory, Violation } from './history.ts';
import { playHomework } from './homework.ts';
import type { Account } from './player.ts';
import { playQuiz, type QuizDeps } from './quiz.ts';
import type { Random } from './random.ts';
import type { ReviewCounts } from './review-counts.ts';
import { createStudyList, type StudyList, study } from './study.ts';

const QUIZ_QUESTIONS = 4;
/** How often homework takes the place of a quiz. */
const HOMEWORK_SHARE = 0.5;

/** What the users of a run learn by, and what is counted of it. */
export interface LearningRun {
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
  const quiz = await playQuiz(deps, learner, { request, words: null, stranger }, random);
  noteQuizzes(run, [quiz], checkQuiz(quiz));
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
    const { questionCount } = homework;
    for (const attempt of homework.attempts) reviewCounts.noteQuiz({ ...attempt, questionCount, words: null });
    progress.attempts += homework.attempts.length;
    progress.violations.push(...checkHomework(homework));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ACCOUNT_NEEDED') return false;
    throw error;
  }
}

/** Makes a list and studies it. @returns the list */
export async function studyOne(
  run: LearningRun,
  learner: Account,
  stranger: Account,
  random: Random,
): Promise<StudyList> {
  const list = await createStudyList(run.deps, learner);
  run.lists.push(list);
  const { quizzes, violations } = await study(run.deps, learner, stranger, list, random);
  noteQuizzes(run, quizzes, violations);
  return list;
}

function noteQuizzes(
  { reviewCounts, progress }: LearningRun,
  quizzes: readonly QuizHistory[],
  violations: readonly Violation[],
): void {
  for (const quiz of quizzes) reviewCounts.noteQuiz(quiz);
  progress.quizzes += quizzes.length;
  progress.violations.push(...violations);
}
