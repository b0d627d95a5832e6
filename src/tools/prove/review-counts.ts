// Counts each player's judged answers and compares the sum with the service's own count at the end: no
// answer is lost or counted twice, whichever process died. [contract 13]
import { createClient } from '../../client/index.ts';
import { forEachLimited } from './for-each-limited.ts';
import type { QuizHistory, Violation } from './history.ts';
import type { Account } from './player.ts';
import type { QuizDeps } from './quiz.ts';
import { retryUntilGranted } from './retry.ts';
import { waitForProgress } from './study.ts';

export interface ReviewCounts {
  /** @param judged the number of judged answers by user id; null if it can't be known */
  noteGame(judged: ReadonlyMap<string, number | null>): void;
  noteQuiz(quiz: QuizHistory): void;
  /** Stops counting for users whose number of judged answers can't be known. */
  forget(accounts: readonly Account[]): void;
  /** @returns a violation for each user for whom the service counts another number */
  check(deps: QuizDeps): Promise<Violation[]>;
}

/** The service counts reviews by UTC days unless a time zone is asked for. */
const today = () => new Date().toISOString().slice(0, 10);

/** @throws ApiError if the service refuses the players' progress */
export async function startReviewCounts(deps: QuizDeps, accounts: readonly Account[]): Promise<ReviewCounts> {
  const day = today();
  const counts = new Map<string, number>();
  await forEachLimited(accounts, async ({ id, cookie }) => {
    const client = createClient({ baseUrl: deps.url, cookie });
    const { reviewedToday } = await retryUntilGranted(deps, 'the progress', () => client.getProgress());
    counts.set(id, reviewedToday);
  });
  const add = (userId: string, answers: number) => {
    const count = counts.get(userId);
    if (count !== undefined) counts.set(userId, count + answers);
  };

  return {
    noteGame(judged) {
      for (const [userId, answers] of judged) {
        if (answers === null) counts.delete(userId);
        else add(userId, answers);
      }
    },
    noteQuiz: ({ userId, answers }) => add(userId, answers.length),
    forget(lost) {
      for (const { id } of lost) counts.delete(id);
    },
    async check(checking) {
      const violations: Violation[] = [];
      // The service's count starts again at midnight, so that a run across midnight checks nothing.
      if (today() !== day) return violations;
      await forEachLimited(accounts, async (account) => {
        const expected = counts.get(account.id);
        if (expected === undefined) return;
        let told = 0;
        const isTold = await waitForProgress(checking, account, ({ reviewedToday }) => {
          told = reviewedToday;
          return told === expected;
        });
        const text = `${account.name} has answered ${expected} times today, the service counts ${told}`;
        if (!isTold && today() === day) violations.push({ kind: 'learning', text });
      });
      return violations;
    },
  };
}
