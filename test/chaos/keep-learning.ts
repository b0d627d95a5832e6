// Does one assignment after the other while faults are injected. What was acknowledged must survive every fault, those
// that lose writes of Redis too. [contract 21]
import { checkHomework } from '../../src/tools/prove/checker/quiz.ts';
import { playHomework } from '../../src/tools/prove/quiz.ts';
import type { Random } from '../../src/tools/prove/random.ts';
import type { RetryContext } from '../../src/tools/prove/retry.ts';
import type { Account } from '../../src/tools/prove/robot.ts';
import type { Totals } from './totals.ts';

const QUESTIONS = 5;
/** The longest pause before an answer, ms. */
const THINK_MS = 400;

export async function keepLearning(
  { isTimeLeft, ...run }: RetryContext & { url: string; isTimeLeft(): boolean },
  pupils: readonly Account[],
  luck: Random,
  outcome: Pick<Totals, 'attempts' | 'violations'>,
): Promise<void> {
  const deps = { ...run, thinkMs: THINK_MS };
  const [owner] = pupils as [Account];
  try {
    while (isTimeLeft()) {
      const homework = await playHomework(deps, owner, pupils, { questionCount: QUESTIONS }, luck);
      outcome.attempts += homework.attempts.length;
      outcome.violations.push(...checkHomework(homework));
    }
  } catch (error) {
    if (!run.signal.aborted) run.onTrouble(`homework broke: ${(error as Error).stack}`);
  }
}
