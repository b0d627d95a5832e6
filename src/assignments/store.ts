// Assignments and their people in PostgreSQL, whose clock decides whether an assignment is open. [contract 21]
import { BUDGETS } from '../budgets.ts';
import { AppError, invalid } from '../errors.ts';
import { Prisma, type Assignment as Stored } from '../generated/prisma/client.ts';
import type { TimeCursor } from '../platform/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Asked } from './attempt-store.ts';
import type { StartState } from './rules.ts';
import type { Assignment, BegunCursor, ChangeAssignmentRequest, CreateAssignmentRequest } from './schema.ts';
import { MAX_DAYS_AHEAD } from './schema.ts';

export type AssignmentWords = Pick<
  Assignment,
  'pos' | 'difficulty' | 'listId' | 'listName' | 'reverse' | 'topic' | 'sourceLanguage' | 'targetLanguage'
>;

/** `opensAt` is now by default. */
type NewAssignment = Pick<CreateAssignmentRequest, 'title' | 'answerMode' | 'attempts' | 'opensAt' | 'closesAt'> &
  Asked & { code: string; ownerId: string };

const badTime = (message: string) => invalid([{ path: 'closesAt', message }]);
const tooFar = () => badTime(`must be at most ${MAX_DAYS_AHEAD} days ahead`);

const CLOSES_IN_TIME = (closesAt: Prisma.Sql) =>
  Prisma.sql`${closesAt} <= now() + make_interval(days => ${MAX_DAYS_AHEAD}::int)`;

/**
 * Stores an assignment. The lock of the owner's row lets concurrent creations not exceed the limit together.
 * @returns its code
 * @throws AppError UNAUTHENTICATED, TOO_MANY_ASSIGNMENTS, VALIDATION_FAILED for the times; a unique violation if the
 *   code is taken
 */
export async function insertAssignment(
  db: Database,
  { code, ownerId, title, words, questions, answerMode, attempts, ...times }: NewAssignment,
): Promise<string> {
  return db.$transaction(async (tx) => {
    const owner = await tx.$queryRaw<unknown[]>`
      SELECT id FROM "user" WHERE id = ${ownerId}::uuid FOR NO KEY UPDATE`;
    if (owner.length === 0) throw new AppError('UNAUTHENTICATED');
    if ((await tx.assignment.count({ where: { ownerId } })) >= BUDGETS.assignments.max)
      throw new AppError('TOO_MANY_ASSIGNMENTS', `You have ${BUDGETS.assignments.max} assignments already.`);
    const closesAt = Prisma.sql`${times.closesAt}::timestamptz`;
    const [clock] = await tx.$queryRaw<{ isFuture: boolean; isNear: boolean }[]>`
      SELECT ${closesAt} > now() AS "isFuture", ${CLOSES_IN_TIME(closesAt)} AS "isNear"`;
    if (!clock?.isFuture) throw badTime('must be in the future');
    if (!clock.isNear) throw tooFar();
    await tx.$executeRaw`
      INSERT INTO assignment (code, owner_id, title, words, questions, question_count, answer_mode, attempts,
                              opens_at, closes_at)
      VALUES (${code}, ${ownerId}::uuid, ${title}, ${JSON.stringify(words)}::jsonb,
              ${JSON.stringify(questions)}::jsonb, ${questions.length}, ${answerMode}, ${attempts},
              coalesce(${times.opensAt ?? null}::timestamptz, now()), ${closesAt})`;
    return code;
  });
}

export type FoundAssignment = ReturnType<typeof toFound>;

type Row = Pick<Stored, 'id' | 'code' | 'title' | 'questionCount' | 'opensAt' | 'closesAt' | 'createdAt'> &
  Pick<Assignment, 'ownerName' | 'answerMode'> &
  StartState & {
    isOwner: boolean;
    words: AssignmentWords;
    best: number | null;
    startedCount: number;
    /** Null for others than the owner while the assignment is open. */
    finishedCount: number | null;
    /** The order of those that somebody has begun. */
    isOpen: number;
    answeredAt: Date | null;
  };

/** Finds assignments with what the user has done in them. Closing finishes the attempts of everybody who has begun. */
async function find(db: Database, userId: string | null, condition: Prisma.Sql): Promise<FoundAssignment[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT a.id, a.code, a.title, owner.name AS "ownerName", a.owner_id = ${userId}::uuid AS "isOwner", a.words,
           a.question_count AS "questionCount", a.answer_mode AS "answerMode", a.attempts,
           a.opens_at AS "opensAt", a.closes_at AS "closesAt", a.created_at AS "createdAt",
           a.opens_at > now() AS "isEarly", a.closes_at <= now() AS "isClosed",
           a.started_count AS "startedCount",
           CASE WHEN a.closes_at <= now() THEN a.started_count
                WHEN a.owner_id = ${userId}::uuid THEN (
                  SELECT count(*)::int FROM assignment_person WHERE assignment_id = a.id AND has_finished)
           END AS "finishedCount",
           own.begun, own.best, own."openId", own."isOpen", own."answeredAt"
      FROM assignment a JOIN "user" owner ON owner.id = a.owner_id
     CROSS JOIN LATERAL (
       SELECT coalesce(max(number), 0)::int AS begun,
              max(correct) FILTER (WHERE number <= a.attempts
                                     AND (finished_at IS NOT NULL OR a.closes_at <= now()))::int AS best,
              (array_agg(id) FILTER (WHERE finished_at IS NULL))[1] AS "openId",
              (bool_or(finished_at IS NULL) AND a.closes_at > now())::int AS "isOpen",
              max(coalesce(to_timestamp((answers -> -1 ->> 'judgedAtMs')::bigint / 1000.0), started_at)) AS "answeredAt"
         FROM assignment_attempt WHERE assignment_id = a.id AND user_id = ${userId}::uuid) AS own
     ${condition}`;
  return rows.map(toFound);
}

function toFound(row: Row) {
  const { id, words, isOwner, isEarly, isClosed, begun, openId, isOpen, answeredAt, best, ...others } = row;
  const { startedCount, finishedCount, ...shown } = others;
  const { attempts, questionCount } = shown;
  const view: Assignment = {
    assignmentId: id,
    ...shown,
    ...words,
    opensAt: row.opensAt.toISOString(),
    closesAt: row.closesAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    ...(isOwner && { startedCount, finishedCount: finishedCount ?? 0 }),
    // A hand-over can have given more attempts than are allowed.
    attemptsLeft: Math.max(0, attempts - begun),
    best: best === null ? null : { correct: best, total: questionCount },
    openAttempt: isClosed ? null : openId,
  };
  const place: BegunCursor = [isOpen, answeredAt?.toISOString() ?? '', id];
  return { view, isOwner, state: { isEarly, isClosed, attempts, begun, openId }, place };
}

/** @param userId null for somebody who is not signed in */
export async function findByCode(db: Database, code: string, userId: string | null): Promise<FoundAssignment | null> {
  const [found] = await find(db, userId, Prisma.sql`WHERE a.code = ${code}`);
  return found ?? null;
}

export interface Page<Cursor> {
  limit: number;
  before?: Cursor | undefined;
}

/** @returns the owner's assignments that follow `before`, the newest first */
export function findOwned(db: Database, ownerId: string, { limit, before }: Page<TimeCursor>) {
  const [createdAt, id] = before ?? [];
  const older = createdAt
    ? Prisma.sql`AND (a.created_at, a.id) < (${createdAt}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  const condition = Prisma.sql`
    WHERE a.owner_id = ${ownerId}::uuid ${older} ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}`;
  return find(db, ownerId, condition);
}

/** @returns the assignments that the user has begun and that follow `before` */
export function findBegun(db: Database, userId: string, { limit, before }: Page<BegunCursor>) {
  const [isOpen, answeredAt, id] = before ?? [];
  const later = answeredAt
    ? Prisma.sql`AND (own."isOpen", own."answeredAt", a.id) < (${isOpen}::int, ${answeredAt}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  const condition = Prisma.sql`
    WHERE a.id IN (SELECT assignment_id FROM assignment_person WHERE user_id = ${userId}::uuid) ${later}
    ORDER BY own."isOpen" DESC, own."answeredAt" DESC, a.id DESC LIMIT ${limit}`;
  return find(db, userId, condition);
}

/**
 * Changes an assignment of this owner. A `closesAt` in the past becomes now, or stays as it is if the assignment was
 * closed before.
 * @throws AppError VALIDATION_FAILED for the times
 */
export async function updateAssignment(
  db: Database,
  code: string,
  ownerId: string,
  { title, attempts, opensAt, closesAt }: ChangeAssignmentRequest,
): Promise<void> {
  const given = Prisma.sql`${closesAt ?? null}::timestamptz`;
  const [row] = await db.$queryRaw<{ isNear: boolean | null; isOrdered: boolean }[]>`
    WITH known AS (
      SELECT id, CASE WHEN ${given} IS NULL THEN closes_at
                      WHEN ${given} <= now() THEN least(closes_at, now()) ELSE ${given} END AS closing,
             coalesce(${opensAt ?? null}::timestamptz, opens_at) AS opening
        FROM assignment WHERE code = ${code} AND owner_id = ${ownerId}::uuid FOR NO KEY UPDATE),
    checked AS (
      SELECT *, ${CLOSES_IN_TIME(given)} AS "isNear", opening < closing AS "isOrdered" FROM known),
    changed AS (
      UPDATE assignment a
         SET title = coalesce(${title ?? null}, title), attempts = coalesce(${attempts ?? null}::int, attempts),
             opens_at = opening, closes_at = closing
        FROM checked
       WHERE a.id = checked.id AND "isNear" IS NOT FALSE AND "isOrdered")
    SELECT "isNear", "isOrdered" FROM checked`;
  if (row?.isNear === false) throw tooFar();
  if (row?.isOrdered === false) throw badTime('must be after opensAt');
}

/** Lets no further answer be stored. */
export async function closeAssignment(db: Database, assignmentId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE assignment SET closes_at = now() WHERE id = ${assignmentId}::uuid AND closes_at > now()`;
}

/** Which people of an assignment are meant: one, or all guests. */
export type SomePeople = { userId: string } | { isGuest: true };

export function isOneOf(assignmentId: string, people: SomePeople): Prisma.Sql {
  const id = Prisma.sql`${assignmentId}::uuid`;
  if ('userId' in people) return Prisma.sql`assignment_id = ${id} AND user_id = ${people.userId}::uuid`;
  return Prisma.sql`assignment_id = ${id} AND user_id IN (
    SELECT user_id FROM assignment_person WHERE assignment_id = ${id} AND is_guest)`;
}

/** Counts the people of assignments anew. @param tx a transaction that has locked them, so that none begins meanwhile */
export async function recountPeople(tx: Prisma.TransactionClient, assignmentIds: string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE assignment a SET started_count = started, guest_count = guests
      FROM unnest(${assignmentIds}::uuid[]) AS counted (id)
     CROSS JOIN LATERAL (
       SELECT count(*) AS started, count(*) FILTER (WHERE is_guest) AS guests
         FROM assignment_person WHERE assignment_id = counted.id) AS people
     WHERE a.id = counted.id`;
}

export async function readClock(db: Database): Promise<Date> {
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT now()`;
  return row.now;
}

/**
 * Deletes people with their attempts, apart from those who have answers that are not learned. The locks of the attempts
 * let an answer that arrives at the same moment be stored before, or be refused. That of the assignment excludes
 * workers, who lock attempts in another order, and starts.
 * @param before people who have begun later are kept
 * @returns whether all who had begun before are gone
 */
export async function deletePeople(db: Database, assignmentId: string, people: SomePeople, before: Date) {
  const isMeant = isOneOf(assignmentId, people);
  const hasBegun = Prisma.sql`min(started_at) <= ${before}::timestamptz`;
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM assignment WHERE id = ${assignmentId}::uuid FOR UPDATE`;
    await tx.$queryRaw`SELECT count(*) FROM (
      SELECT FROM assignment_attempt WHERE ${isMeant} FOR UPDATE) AS locked`;
    const [meant] = await tx.$queryRaw<[{ areGone: boolean }]>`
      WITH meant AS (
        SELECT user_id, count(unlearned_since) = 0 AS is_learned FROM assignment_attempt
         WHERE ${isMeant} GROUP BY user_id HAVING ${hasBegun}),
      attempts AS (
        DELETE FROM assignment_attempt t USING meant
         WHERE t.assignment_id = ${assignmentId}::uuid AND t.user_id = meant.user_id AND is_learned),
      people AS (
        DELETE FROM assignment_person p USING meant
         WHERE p.assignment_id = ${assignmentId}::uuid AND p.user_id = meant.user_id AND is_learned)
      SELECT coalesce(bool_and(is_learned), true) AS "areGone" FROM meant`;
    await recountPeople(tx, [assignmentId]);
    return meant.areGone;
  });
}
