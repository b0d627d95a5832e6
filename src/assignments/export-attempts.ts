// Reads what is stored of a user's assignments and attempts, for the export of their data. Questions that are not
// answered yet are left out. [contract 22]
import { type Database, inPages } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { dealQuestion, toJudgement } from './deal-questions.ts';
import type { StoredAnswer, StoredQuestion } from './rules.ts';
import type { Assignment, ExportedAttempt } from './schema.ts';
import { findOwned } from './store.ts';

/** The number of assignments that one statement reads, and whose attempts one reads. */
const PAGE = 20;

export function readOwnAssignments(db: Database, userId: string) {
  return inPages<Assignment>(PAGE, (last) =>
    findOwned(db, userId, { limit: PAGE, before: last && [last.createdAt, last.assignmentId] }),
  );
}

export async function* readAttempts(
  { db, attempts }: Pick<Services, 'attempts' | 'db'>,
  userId: string,
): AsyncGenerator<ExportedAttempt[]> {
  const pages = inPages(PAGE, (last?: { assignmentId: string }) =>
    db.assignmentPerson.findMany({
      where: { userId, ...(last && { assignmentId: { gt: last.assignmentId } }) },
      orderBy: { assignmentId: 'asc' },
      take: PAGE,
      select: { assignmentId: true, name: true, isGuest: true },
    }),
  );
  for await (const people of pages)
    for (const person of people) yield await readAttemptsOf({ db, attempts }, userId, person);
}

interface AttemptRow {
  sessionId: string;
  code: string;
  title: string;
  attempt: number;
  secret: string;
  startedAt: Date;
  finishedAt: Date | null;
  correct: number;
  answers: StoredAnswer[];
}

async function readAttemptsOf(
  { db, attempts }: Pick<Services, 'attempts' | 'db'>,
  userId: string,
  { assignmentId, name, isGuest }: { assignmentId: string; name: string; isGuest: boolean },
): Promise<ExportedAttempt[]> {
  const questions = (await attempts.questionsOf(assignmentId)) ?? [];
  const rows = await db.$queryRaw<AttemptRow[]>`
    SELECT t.id AS "sessionId", code, title, number AS attempt, secret, started_at AS "startedAt",
           finished_at AS "finishedAt", correct, answers
      FROM assignment_attempt t JOIN assignment a ON a.id = assignment_id
     WHERE assignment_id = ${assignmentId}::uuid AND user_id = ${userId}::uuid
     ORDER BY number`;
  return rows.map(({ secret, answers, startedAt, finishedAt, ...row }) => ({
    ...row,
    assignmentId,
    name,
    isGuest,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    answers: answers.flatMap((answer) => toExported(questions[answer.question], secret, answer)),
  }));
}

function toExported(
  question: StoredQuestion | undefined,
  secret: string,
  answer: StoredAnswer,
): ExportedAttempt['answers'] {
  if (!question) return [];
  const { prompt, gloss } = question;
  const judgedAt = new Date(answer.judgedAtMs).toISOString();
  const dealt = dealQuestion(question, secret);
  const { questionId, options, commitment } = dealt.question;
  const asked = { questionId, prompt, ...(gloss === undefined ? {} : { gloss }), options, commitment };
  return [{ ...asked, ...toJudgement(question, dealt, answer), judgedAt }];
}
