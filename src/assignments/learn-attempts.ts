// Learns from the judged answers of attempts. The transaction that writes the reviews also marks the answers as
// learned. [contract 13, 21]
import { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import { judged, verdictOfJudged } from '../learning/judged-answer.ts';
import { LEARNING_TIMEOUT_MS, lockLearners } from '../learning/learners.ts';
import { MAX_REVIEWS, type Review, writeReviews } from '../learning/reviews.ts';
import { referenceTo } from '../learning/word-ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { wordsName } from '../vocabulary/rules.ts';
import type { DeckOrListFields } from '../vocabulary/schema.ts';
import type { StoredQuestion } from './rules.ts';

/** The number of attempts from which one transaction learns at most; others are left to the next one. */
const MAX_ATTEMPTS = 500;

const LearnableAnswer = z.object({ question: z.int(), ...judged, judgedAtMs: z.number() });

/** An attempt with answers that are not learned. */
interface UnlearnedAttempt {
  id: string;
  assignmentId: string;
  userId: string;
  /** How many answers are not learned. */
  answers: number;
}

/** The counts of one transaction. */
interface LearnedAttempts {
  attempts: number;
  reviews: number;
  /** The number of answers that could not be read, and were passed over. */
  unreadable: number;
}

/** @returns the time of the oldest answer that is not learned; null without one. A partial index finds it */
export async function findOldestUnlearnedAnswer(db: Database): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ since: Date }[]>`
    SELECT unlearned_since AS since FROM assignment_attempt WHERE unlearned_since IS NOT NULL
     ORDER BY unlearned_since LIMIT 1`;
  return row?.since ?? null;
}

/**
 * Learns from the attempts whose answers wait longest, as far as one transaction may. It locks users, then what they
 * learn, then assignments, then attempts, in the order of a user's deletion. Answers that another worker has learned
 * meanwhile are passed over.
 * @param isMeant a condition on the attempts; by default all are meant
 * @returns no attempts when nothing is left to learn
 * @throws when PostgreSQL is away; nothing is marked then
 */
export function learnAttempts(db: Database, isMeant: Prisma.Sql = Prisma.sql`true`): Promise<LearnedAttempts> {
  return db.$transaction(
    async (tx) => {
      const some = firstOf(await findUnlearned(tx, isMeant));
      if (some.length === 0) return { attempts: 0, reviews: 0, unreadable: 0 };
      const learners = await lockLearners(tx, [...new Set(some.map(({ userId }) => userId))]);
      const read = await readAnswers(tx, some);
      const reviews = read.flatMap((attempt) => attempt.reviews);
      await writeReviews(tx, reviews, learners);
      await markLearned(tx, read);
      return {
        attempts: some.length,
        reviews: reviews.length,
        unreadable: read.reduce((sum, { unreadable }) => sum + unreadable, 0),
      };
    },
    { timeout: LEARNING_TIMEOUT_MS },
  );
}

function findUnlearned(tx: Prisma.TransactionClient, isMeant: Prisma.Sql): Promise<UnlearnedAttempt[]> {
  return tx.$queryRaw<UnlearnedAttempt[]>`
    SELECT id, assignment_id AS "assignmentId", user_id AS "userId", answered - learned AS answers
      FROM assignment_attempt WHERE unlearned_since IS NOT NULL AND ${isMeant}
     ORDER BY unlearned_since LIMIT ${MAX_ATTEMPTS}`;
}

/** @returns as many attempts as one transaction may learn from, at least one */
function firstOf(attempts: readonly UnlearnedAttempt[]): readonly UnlearnedAttempt[] {
  let reviews = 0;
  const end = attempts.findIndex(({ answers }, index) => {
    reviews += answers;
    return reviews > MAX_REVIEWS && index > 0;
  });
  return end < 0 ? attempts : attempts.slice(0, end);
}

/** The answers of an attempt as reviews, and the number of its learned answers after them. */
interface ReadAttempt {
  id: string;
  assignmentId: string;
  learned: number;
  reviews: Review[];
  unreadable: number;
}

/** What an assignment asks. */
interface AskedAssignment {
  id: string;
  words: DeckOrListFields;
  questions: StoredQuestion[];
}

/**
 * Reads the answers that no other worker has learned before the users were locked. Their user is that of the first
 * reading, whom `lockLearners` knows; a hand-over may have given the attempt to the account since.
 */
async function readAnswers(
  tx: Prisma.TransactionClient,
  attempts: readonly UnlearnedAttempt[],
): Promise<ReadAttempt[]> {
  const rows = await tx.$queryRaw<{ id: string; learned: number; answers: unknown[] }[]>`
    SELECT id, learned, jsonb_path_query_array(answers, '$[$from to last]', jsonb_build_object('from', learned))
           AS answers
      FROM assignment_attempt WHERE id = ANY(${attempts.map(({ id }) => id)}::uuid[])`;
  const assignmentIds = [...new Set(attempts.map(({ assignmentId }) => assignmentId))];
  const assignments = await tx.$queryRaw<AskedAssignment[]>`
    SELECT id, words, questions FROM assignment WHERE id = ANY(${assignmentIds}::uuid[])`;
  const asked = new Map(assignments.map((assignment) => [assignment.id, assignment]));
  const found = new Map(rows.map((row) => [row.id, row]));
  return attempts.flatMap(({ id, assignmentId, userId }) => {
    const row = found.get(id);
    const assignment = asked.get(assignmentId);
    if (!row || !assignment) return [];
    const { questions } = assignment;
    const words = wordsName(assignment.words);
    const reviews = row.answers.flatMap((answer) => reviewOf(answer, userId, words, questions));
    const learned = row.learned + row.answers.length;
    return [{ id, assignmentId, learned, reviews, unreadable: row.answers.length - reviews.length }];
  });
}

/** @returns nothing for an answer that can't be read */
function reviewOf(answer: unknown, userId: string, words: string, questions: readonly StoredQuestion[]): Review[] {
  const given = LearnableAnswer.safeParse(answer).data;
  const question = given && questions[given.question];
  if (!question) return [];
  const word = referenceTo(words, question);
  return [{ userId, words, word, verdict: verdictOfJudged(given), judgedAtMs: given.judgedAtMs }];
}

/** The locks of the assignments keep their deletions, which lock attempts in any order, from a deadlock. */
async function markLearned(tx: Prisma.TransactionClient, attempts: readonly ReadAttempt[]): Promise<void> {
  const ids = attempts.map(({ id }) => id);
  const learned = attempts.map((attempt) => attempt.learned);
  const assignmentIds = [...new Set(attempts.map(({ assignmentId }) => assignmentId))];
  await tx.$queryRaw`
    SELECT id FROM assignment WHERE id = ANY(${assignmentIds}::uuid[]) ORDER BY id FOR KEY SHARE`;
  await tx.$executeRaw`
    UPDATE assignment_attempt t
       SET learned = m.learned, unlearned_since = CASE WHEN answered > m.learned THEN unlearned_since END
      FROM unnest(${ids}::uuid[], ${learned}::int[]) AS m (id, learned)
     WHERE t.id = m.id`;
}
