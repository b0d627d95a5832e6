// Learns from the judged answers of quizzes. The transaction that writes the reviews also stores how many
// answers of a quiz are learned. [contract 13]
import type { Database } from '../platform/postgres/postgres.ts';
import { LEARNING_TIMEOUT_MS, lockLearners } from './learners.ts';
import { MAX_REVIEWS, type Review, writeReviews } from './reviews.ts';
import { findLearnedAnswers, saveLearnedAnswers } from './store.ts';

/** A judged answer of a quiz. */
export interface QuizAnswer {
  /** The answers of a quiz are numbered from 1. */
  number: number;
  /** Null if the record can't be parsed. */
  review: Pick<Review, 'word' | 'verdict' | 'judgedAtMs'> | null;
}

/** A quiz with answers that are not learned. */
export interface UnlearnedQuiz {
  sessionId: string;
  userId: string;
  /** The name of the deck or list of its questions. */
  words: string;
  /** The answers that Redis has as not learned, in their order. */
  answers: readonly QuizAnswer[];
}

/** The counts of one transaction. */
interface LearnedQuizzes {
  /** The number of quizzes that were learned, from the first one on. */
  quizzes: number;
  reviews: number;
  /** The number of answers that could not be read, and were passed over. */
  unreadable: number;
}

/**
 * Learns from the first of these quizzes, as far as one transaction may. Answers that another worker has
 * learned meanwhile are passed over.
 * @throws when PostgreSQL is away; nothing is marked then
 */
export function learnQuizzes(db: Database, quizzes: readonly UnlearnedQuiz[]): Promise<LearnedQuizzes> {
  const some = firstOf(quizzes);
  return db.$transaction(
    async (tx) => {
      const userIds = [...new Set(some.flatMap(reviewsOf).map(({ userId }) => userId))];
      const learners = await lockLearners(tx, userIds);
      const learned = await findLearnedAnswers(
        tx,
        some.map(({ sessionId }) => sessionId),
      );
      const unlearned = some.map((quiz) => {
        const last = learned.get(quiz.sessionId) ?? 0;
        return { ...quiz, answers: quiz.answers.filter(({ number }) => number > last) };
      });
      const reviews = unlearned.flatMap(reviewsOf);
      await writeReviews(tx, reviews, learners);
      await saveLearnedAnswers(tx, some);
      const answers = unlearned.reduce((sum, quiz) => sum + quiz.answers.length, 0);
      return { quizzes: some.length, reviews: reviews.length, unreadable: answers - reviews.length };
    },
    { timeout: LEARNING_TIMEOUT_MS },
  );
}

/** @returns as many quizzes as one transaction may learn from, at least one */
function firstOf(quizzes: readonly UnlearnedQuiz[]): readonly UnlearnedQuiz[] {
  let reviews = 0;
  const end = quizzes.findIndex(({ answers }, index) => {
    reviews += answers.length;
    return reviews > MAX_REVIEWS && index > 0;
  });
  return end < 0 ? quizzes : quizzes.slice(0, end);
}

function reviewsOf({ userId, words, answers }: UnlearnedQuiz): Review[] {
  return answers.flatMap(({ review }) => (review ? [{ ...review, userId, words }] : []));
}
