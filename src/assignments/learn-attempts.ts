// The attempts as a source of the learner. [contract 13, 21]
import { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import { MAX_REVIEWS, type PendingReviews, pendingSince, type Review, type TakeBatch } from '../learning/learner.ts';
import { judged, verdictOfJudged } from '../learning/stored-answers.ts';
import { referenceTo } from '../learning/word-ids.ts';
import { chunksOf } from '../platform/redis/scripts.ts';
import type { Services } from '../services.ts';
import { wordsName } from '../vocabulary/rules.ts';
import type { Asked } from './attempt-store.ts';

/** The number of attempts from which one transaction learns at most; others are left to the next one. */
const MAX_ATTEMPTS = 500;

const LearnableAnswer = z.object({ question: z.int(), ...judged });

interface PendingAttempt {
  id: string;
  assignmentId: string;
  userId: string;
  /** How many answers are not learned. */
  answers: number;
}

/** @returns the attempts with answers that are not learned; a partial index finds the oldest of these */
export async function findPendingAttempts({ db }: Pick<Services, 'db'>): Promise<PendingReviews> {
  const [oldest] = await db.$queryRaw<{ since: Date }[]>`
    SELECT unlearned_since AS since FROM assignment_attempt WHERE unlearned_since IS NOT NULL
     ORDER BY unlearned_since LIMIT 1`;
  return pendingSince(oldest?.since, takeAttempts());
}

/**
 * Takes attempts. The transaction locks users, then what they learn, then assignments, then attempts, in the order of a
 * user's deletion. Answers that another worker has learned meanwhile are passed over.
 * @param isMeant a condition on the attempts; by default all are meant
 */
export function takeAttempts(isMeant: Prisma.Sql = Prisma.sql`true`): TakeBatch {
  return async (tx) => {
    const pending = await tx.$queryRaw<PendingAttempt[]>`
      SELECT id, assignment_id AS "assignmentId", user_id AS "userId", answered - learned AS answers
        FROM assignment_attempt WHERE unlearned_since IS NOT NULL AND ${isMeant}
       ORDER BY unlearned_since LIMIT ${MAX_ATTEMPTS}`;
    const [attempts] = chunksOf(pending, MAX_REVIEWS, ({ answers }) => answers);
    if (!attempts) return null;
    let answered: ReadAttempt[] = [];
    return {
      taken: attempts.length,
      userIds: attempts.map(({ userId }) => userId),
      async read() {
        answered = await readAnswers(tx, attempts);
        return answered.flatMap(({ reviews }) => reviews);
      },
      mark: () => markLearned(tx, answered),
    };
  };
}

/** @returns the ids of the assignments of these attempts, each once */
const assignmentsOf = (attempts: readonly { assignmentId: string }[]) => [
  ...new Set(attempts.map(({ assignmentId }) => assignmentId)),
];

type ReadAttempt = Awaited<ReturnType<typeof readAnswers>>[number];

/**
 * Reads the answers that no other worker has learned before the users were locked. Their user is that of the first
 * reading, whom `lockLearners` knows; a hand-over may have given the attempt to the account since.
 * @returns the attempts with the number of their learned answers after these
 */
async function readAnswers(tx: Prisma.TransactionClient, attempts: readonly PendingAttempt[]) {
  const rows = await tx.$queryRaw<{ id: string; learned: number; answers: unknown[] }[]>`
    SELECT id, learned, jsonb_path_query_array(answers, '$[$from to last]', jsonb_build_object('from', learned))
           AS answers
      FROM assignment_attempt WHERE id = ANY(${attempts.map(({ id }) => id)}::uuid[])`;
  const assignments = await tx.$queryRaw<(Asked & { id: string })[]>`
    SELECT id, words, questions FROM assignment WHERE id = ANY(${assignmentsOf(attempts)}::uuid[])`;
  const askedBy = new Map(assignments.map((assignment) => [assignment.id, assignment]));
  const found = new Map(rows.map((row) => [row.id, row]));
  return attempts.flatMap(({ id, assignmentId, userId }) => {
    const row = found.get(id);
    const asked = askedBy.get(assignmentId);
    if (!row || !asked) return [];
    const reviews = row.answers.map((answer) => reviewOf(answer, userId, asked));
    return { id, assignmentId, learned: row.learned + row.answers.length, reviews };
  });
}

/** @returns null for an answer that can't be read */
function reviewOf(answer: unknown, userId: string, { words, questions }: Asked): Review | null {
  const given = LearnableAnswer.safeParse(answer).data;
  const question = given && questions[given.question];
  if (!question) return null;
  const name = wordsName(words);
  const verdict = verdictOfJudged(given);
  return { userId, words: name, word: referenceTo(name, question), verdict, judgedAtMs: given.judgedAtMs };
}

/** The locks of the assignments keep their deletions, which lock attempts in any order, from a deadlock. */
async function markLearned(tx: Prisma.TransactionClient, attempts: readonly ReadAttempt[]): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM assignment WHERE id = ANY(${assignmentsOf(attempts)}::uuid[]) ORDER BY id FOR KEY SHARE`;
  await tx.$executeRaw`
    UPDATE assignment_attempt t
       SET learned = m.learned, unlearned_since = CASE WHEN answered > m.learned THEN unlearned_since END
      FROM unnest(${attempts.map(({ id }) => id)}::uuid[], ${attempts.map(({ learned }) => learned)}::int[])
             AS m (id, learned)
     WHERE t.id = m.id`;
}
