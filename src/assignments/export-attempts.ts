// Reads what is stored of a user's assignments and attempts, for the export of their data. Questions that are not
// answered yet are left out. [contract 22]
import { type Database, inPages } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { dealQuestion, toJudgement } from './deal-questions.ts';
import type { StoredAnswer } from './rules.ts';
import type { ExportedAttempt } from './schema.ts';
import { type FoundAssignment, findOwned } from './store.ts';

/** The number of assignments that one statement reads. */
const PAGE = 20;

export async function* readOwnAssignments(db: Database, userId: string) {
  const pages = inPages<FoundAssignment>(PAGE, (last) =>
    findOwned(db, userId, { limit: PAGE, before: last && [last.view.createdAt, last.view.assignmentId] }),
  );
  for await (const page of pages) yield page.map(({ view }) => view);
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
      include: { assignment: { select: { code: true, title: true } } },
    }),
  );
  for await (const people of pages)
    for (const { assignmentId, name, isGuest, assignment } of people) {
      const questions = (await attempts.questionsOf(assignmentId)) ?? [];
      const where = { assignmentId, userId };
      const attemptsOfPerson = await db.assignmentAttempt.findMany({ where, orderBy: { number: 'asc' } });
      yield attemptsOfPerson.map(({ id, number, secret, startedAt, finishedAt, correct, answers }) => ({
        sessionId: id,
        assignmentId,
        ...assignment,
        name,
        isGuest,
        attempt: number,
        startedAt: startedAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
        correct,
        answers: (answers as unknown[]).flatMap((stored) => {
          const answer = stored as StoredAnswer;
          const question = questions[answer.question];
          if (!question) return [];
          const { answerMode: _, ...asked } = dealQuestion(question, secret);
          const judgedAt = new Date(answer.judgedAtMs).toISOString();
          return { ...asked, ...toJudgement(question, secret, answer), judgedAt };
        }),
      }));
    }
}
