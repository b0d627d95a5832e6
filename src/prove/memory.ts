// Counts what each player has answered, and in the end what the service says of it: whatever died
// meanwhile, no answer is lost, and none is counted twice. [contract 13]
import { createClient } from '../client/index.ts';
import { untilGranted } from './asking.ts';
import { each } from './each.ts';
import type { QuizHistory, Violation } from './history.ts';
import type { Account } from './player.ts';
import type { QuizDeps } from './quiz.ts';
import { untilTold } from './study.ts';

export interface Memory {
  /** Answers that were judged, by user. */
  noteGame(judged: ReadonlyMap<string, number>): void;
  noteQuiz(quiz: QuizHistory): void;
  /** Of these users nobody knows how many answers were judged. */
  lose(accounts: readonly Account[]): void;
  /** @returns what the service remembers otherwise */
  check(deps: QuizDeps): Promise<Violation[]>;
}

/** The service's days, when none is asked for. */
const today = () => new Date().toISOString().slice(0, 10);

/** @throws ApiError when the players' progress can't be read */
export async function startMemory(deps: QuizDeps, accounts: readonly Account[]): Promise<Memory> {
  const day = today();
  const counts = new Map<string, number>();
  await each(accounts, async ({ id, cookie }) => {
    const client = createClient({ baseUrl: deps.url, cookie });
    const { reviewedToday } = await untilGranted(deps, 'the progress', () => client.getProgress());
    counts.set(id, reviewedToday);
  });
  const add = (userId: string, answers: number) => {
    const count = counts.get(userId);
    if (count !== undefined) counts.set(userId, count + answers);
  };

  return {
    noteGame(judged) {
      for (const [userId, answers] of judged) add(userId, answers);
    },
    noteQuiz: ({ userId, answers }) => add(userId, answers.length),
    lose(lost) {
      for (const { id } of lost) counts.delete(id);
    },
    async check(checking) {
      const violations: Violation[] = [];
      // At midnight the service begins to count anew.
      if (today() !== day) return violations;
      await each(accounts, async (account) => {
        const expected = counts.get(account.id);
        if (expected === undefined) return;
        let told = 0;
        const isTold = await untilTold(checking, account, ({ reviewedToday }) => {
          told = reviewedToday;
          return told === expected;
        });
        const text = `${account.name} has answered ${expected} times today, remembered is ${told}`;
        if (!isTold && today() === day) violations.push({ kind: 'learning', text });
      });
      return violations;
    },
  };
}
