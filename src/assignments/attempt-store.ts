// Attempts in PostgreSQL. Each change is decided by one statement, so that of concurrent starts and answers one has an
// effect, and an answer that was acknowledged is stored. What never changes of an attempt is remembered. [contract 21]
import { LRUCache } from 'lru-cache';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { newNonce } from '../fairness/seal.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type Postgres, type PostgresPool, queryOn } from '../platform/postgres/postgres.ts';
import { newAttemptId } from '../singleplayer/keys.ts';
import { type AnswerResult, KEY_KEPT_MS } from '../singleplayer/schema.ts';
import type { JudgedAnswer, StoredAnswer, StoredQuestion } from './rules.ts';
import { type AssignmentWords, recountPeople } from './store.ts';

/** What an assignment asks, which never changes. */
export type Asked = { words: AssignmentWords; questions: readonly StoredQuestion[] };

/**
 * The unique indexes on a person's numbers and on the open attempt let one of concurrent starts begin. A user whose
 * account is being deleted begins none, nor does a guest who has become an account. Whoever has begun before keeps the
 * place.
 */
const BEGIN = {
  name: 'begin_attempt',
  text: `
    WITH person AS (
      SELECT id, name, is_anonymous IS TRUE AS is_guest FROM "user"
       WHERE id = $3 AND NOT EXISTS (SELECT FROM user_deletion WHERE user_id = $3)
         AND NOT EXISTS (SELECT FROM guest_hand_over WHERE guest_id = $3)),
    known AS (SELECT FROM assignment_person WHERE assignment_id = $2 AND user_id = $3),
    place AS (
      SELECT person.*, EXISTS (SELECT FROM known) AS is_known,
             started_count >= ${BUDGETS.people.max} OR is_guest AND guest_count >= ${BUDGETS.guestPeople.max} AS is_full
        FROM person, assignment
       WHERE assignment.id = $2 AND opens_at <= now() AND closes_at > now() AND attempts >= $4::smallint),
    begun AS (
      INSERT INTO assignment_attempt (id, assignment_id, user_id, number, secret)
      SELECT $1, $2, id, $4::smallint, $5 FROM place WHERE is_known OR NOT is_full
      ON CONFLICT DO NOTHING RETURNING id),
    met AS (
      INSERT INTO assignment_person (assignment_id, user_id, name, is_guest)
      SELECT $2, place.id, name, is_guest FROM place, begun
      ON CONFLICT (assignment_id, user_id) DO UPDATE SET name = EXCLUDED.name),
    counted AS (
      UPDATE assignment SET started_count = started_count + 1, guest_count = guest_count + is_guest::int
        FROM place, begun WHERE assignment.id = $2 AND NOT is_known)
    SELECT EXISTS (SELECT FROM person) AS "isUser", EXISTS (SELECT FROM begun) AS "hasBegun",
           EXISTS (SELECT FROM place WHERE is_full AND NOT is_known) AS "isFull"`,
};

/**
 * Begins an attempt with a new id and secret.
 * @returns null if it has not begun: another start may have been faster, or the assignment has changed meanwhile
 * @throws AppError UNAUTHENTICATED if the user is deleted, or was a guest and has become an account; ASSIGNMENT_FULL
 *   if somebody new finds no place
 */
export async function insertAttempt(
  postgres: Pick<PostgresPool, 'transaction'>,
  { assignmentId, userId, number }: { assignmentId: string; userId: string; number: number },
) {
  const id = newAttemptId();
  const secret = newNonce();
  const [outcome] = await postgres.transaction(async (client) => {
    const query = queryOn(client);
    // A hand-over that is under way is awaited, or waits, so that it moves this attempt too.
    await query`SELECT FROM "user" WHERE id = ${userId} FOR KEY SHARE`;
    // Starts of one assignment take turns, so that each sees the people whom those before it have counted. The lock
    // also awaits a deletion of the assignment, or of its people, that is under way.
    await query`SELECT FROM assignment WHERE id = ${assignmentId} FOR NO KEY UPDATE`;
    const values = [id, assignmentId, userId, number, secret];
    return (await client.query<{ isUser: boolean; hasBegun: boolean; isFull: boolean }>({ ...BEGIN, values })).rows;
  });
  if (!outcome?.isUser) throw new AppError('UNAUTHENTICATED');
  if (outcome.isFull) throw new AppError('ASSIGNMENT_FULL');
  return outcome.hasBegun ? { id, number, secret, answers: [] } : null;
}

/** @returns null if the attempt is finished or not there; its answers are in their order */
export async function findOpenAttempt(postgres: Postgres, attemptId: string) {
  const [attempt] = await queryOn(postgres)<{ id: string; number: number; secret: string; answers: StoredAnswer[] }>`
    SELECT id, number, secret, answers FROM assignment_attempt WHERE id = ${attemptId} AND finished_at IS NULL`;
  return attempt ?? null;
}

/** Matches an attempt that has an answer to the question $3. */
const IS_ANSWERED = `answers @> jsonb_build_array(jsonb_build_object('question', $3::int))`;

/** Matches an attempt that has an answer with this key which is young enough for its request to be repeated. */
const isKeyUsed = (key: string) => `jsonb_path_exists(answers, '$[*] ? (@.key == $key && @.judgedAtMs > $since)',
  jsonb_build_object('key', ${key}::text, 'since', floor(date_part('epoch', now()) * 1000) - ${KEY_KEPT_MS}))`;

/** The last answer also notes that the person has finished, in the person's own row: a whole class may finish at once. */
const STORE_ANSWER = {
  name: 'store_attempt_answer',
  text: `
    WITH stored AS (
      UPDATE assignment_attempt AS t
         SET answers = answers || ($4::jsonb || jsonb_build_object(
               'judgedAtMs', floor(date_part('epoch', now()) * 1000))),
             answered = answered + 1, correct = correct + $5::smallint,
             finished_at = CASE WHEN answered + 1 = a.question_count THEN now() END,
             unlearned_since = coalesce(unlearned_since, now())
        FROM assignment a
       WHERE t.id = $1 AND user_id = $2 AND a.id = assignment_id AND finished_at IS NULL AND closes_at > now()
         AND NOT ${IS_ANSWERED} AND NOT ${isKeyUsed('$6')}
      RETURNING assignment_id, user_id, finished_at, correct, answered, a.question_count AS total),
    finished AS (
      UPDATE assignment_person p SET has_finished = true FROM stored
       WHERE p.assignment_id = stored.assignment_id AND p.user_id = stored.user_id AND finished_at IS NOT NULL
         AND NOT has_finished)
    SELECT correct, answered, total FROM stored`,
};

/** Who answers in which attempt, and the key by which the client repeats the request. */
interface AttemptRequest {
  attemptId: string;
  userId: string;
  key: string | undefined;
}

/** @returns the score after the answer; null if the answer is refused, see `findState` */
export async function storeAnswer(postgres: Postgres, request: AttemptRequest, answer: JudgedAnswer) {
  const { attemptId, userId, key } = request;
  const stored = JSON.stringify({ ...answer, key });
  const values = [attemptId, userId, answer.question, stored, answer.isCorrect ? 1 : 0, key ?? null];
  const { rows } = await postgres.query<AnswerResult['score']>({ ...STORE_ANSWER, values });
  return rows[0] ?? null;
}

export interface AttemptState {
  isOwn: boolean;
  /** Whether the last question is answered. */
  isFinished: boolean;
  isClosed: boolean;
  isAnswered: boolean;
  /** The answers of the attempt, where the key of the request is that of one of them; null otherwise. */
  keptIn: StoredAnswer[] | null;
}

/** @param question the place of the question; null if the assignment has none of this id */
export async function findState(postgres: Postgres, request: AttemptRequest, question: number | null) {
  const { attemptId, userId, key } = request;
  const { rows } = await postgres.query<AttemptState>({
    name: 'find_attempt_state',
    text: `
      SELECT user_id = $2 AS "isOwn", finished_at IS NOT NULL AS "isFinished", closes_at <= now() AS "isClosed",
             ${IS_ANSWERED} AS "isAnswered",
             CASE WHEN user_id = $2 AND ${isKeyUsed('$4')} THEN answers END AS "keptIn"
        FROM assignment_attempt JOIN assignment a ON a.id = assignment_id WHERE assignment_attempt.id = $1`,
    values: [attemptId, userId, question, key ?? null],
  });
  return rows[0] ?? null;
}

/** The number of attempts that a process remembers, of some 300 bytes each. Beyond it the least recently used go. */
const MAX_ATTEMPTS = 20_000;
/** The size of the remembered questions as JSON, in UTF-16 units: some 1,000 assignments of ordinary words. */
const MAX_QUESTION_UNITS = 4_000_000;

export type DealtAttempt = Asked & { secret: string };

/** Both methods throw what PostgreSQL throws. */
export function createAttempts(postgres: Postgres) {
  const query = queryOn(postgres);
  const attempts = new LRUCache<string, { assignmentId: string; secret: string }>({
    max: MAX_ATTEMPTS,
    fetchMethod: async (id) => {
      const rows = await query<{ assignmentId: string; secret: string }>`
        SELECT assignment_id AS "assignmentId", secret FROM assignment_attempt WHERE id = ${id}`;
      return rows[0];
    },
  });
  const questions = new LRUCache<string, Asked>({
    maxSize: MAX_QUESTION_UNITS,
    sizeCalculation: (stored) => JSON.stringify(stored).length,
    fetchMethod: async (id) => (await query<Asked>`SELECT words, questions FROM assignment WHERE id = ${id}`)[0],
    // Questions that are evicted while they are read are still returned to their callers.
    ignoreFetchAbort: true,
  });
  return {
    /** @returns null if the assignment was deleted */
    questionsOf: async (assignmentId: string) => (await questions.fetch(assignmentId))?.questions ?? null,
    /** @returns null if there is no such attempt, or none any more */
    async find(attemptId: string): Promise<DealtAttempt | null> {
      const attempt = await attempts.fetch(attemptId);
      const asked = attempt && (await questions.fetch(attempt.assignmentId));
      return asked ? { ...asked, secret: attempt.secret } : null;
    },
  };
}

/**
 * Numbers the guest's attempts after those of the account, and finishes the guest's open one where the account has one
 * too. Somebody who was two people counts once. It locks assignments before attempts, as their deletions do. Repeating
 * it changes nothing.
 * @param tx a transaction that has locked both users, so that neither begins an attempt meanwhile
 */
export async function handOverAttempts(tx: Prisma.TransactionClient, guestId: string, accountId: string) {
  const begun = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM assignment
     WHERE id IN (SELECT assignment_id FROM assignment_person WHERE user_id = ${guestId}::uuid)
     ORDER BY id FOR NO KEY UPDATE`;
  if (begun.length === 0) return;
  const ids = begun.map(({ id }) => id);
  await tx.$executeRaw`
    UPDATE assignment_attempt t
       SET user_id = ${accountId}::uuid, number = t.number + own.count,
           finished_at = coalesce(t.finished_at, CASE WHEN own.is_open THEN least(now(), closes_at) END)
      FROM assignment a
     CROSS JOIN LATERAL (
       SELECT coalesce(max(number), 0) AS count, bool_or(finished_at IS NULL) AS is_open
         FROM assignment_attempt WHERE assignment_id = a.id AND user_id = ${accountId}::uuid) AS own
     WHERE t.assignment_id = a.id AND a.id = ANY(${ids}::uuid[]) AND t.user_id = ${guestId}::uuid`;
  await tx.$executeRaw`
    INSERT INTO assignment_person AS known (assignment_id, user_id, name, is_guest, has_finished)
    SELECT assignment_id, account.id, account.name, false,
           EXISTS (SELECT FROM assignment_attempt t
                    WHERE t.assignment_id = p.assignment_id AND t.user_id = account.id AND finished_at IS NOT NULL)
      FROM assignment_person p, "user" account
     WHERE p.user_id = ${guestId}::uuid AND account.id = ${accountId}::uuid
    ON CONFLICT (assignment_id, user_id) DO UPDATE SET has_finished = known.has_finished OR EXCLUDED.has_finished`;
  await tx.assignmentPerson.deleteMany({ where: { userId: guestId } });
  await recountPeople(tx, ids);
}
