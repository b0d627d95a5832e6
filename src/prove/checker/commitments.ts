// Nobody changes the right answer after the question was shown: computed here once more, apart from
// the client library, which does it too. [contract 12]
import { createHash } from 'node:crypto';
import type { Violation } from '../history.ts';
import type { Heard } from './numbers.ts';

/** What a judgement says that was promised. */
interface Judged {
  questionId: string;
  correctOptionId: number;
  nonce: string;
}

/** @returns the commitment that goes with it */
export function commitmentOf({ questionId, correctOptionId, nonce }: Judged): string {
  const text = `${questionId}:${correctOptionId}:${nonce}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** @param heard what each client heard */
export function checkCommitments(heard: readonly (readonly Heard[])[]): Violation[] {
  const promised = new Map<string, string>();
  const wrong = new Set<string>();
  for (const { event } of heard.flat()) {
    if (event.type !== 'game:question') continue;
    const { questionId, commitment } = event.question;
    if (!commitment) wrong.add(`question ${questionId} comes without a commitment`);
    else if ((promised.get(questionId) ?? commitment) !== commitment)
      wrong.add(`question ${questionId} has two commitments`);
    else promised.set(questionId, commitment);
  }
  for (const { event } of heard.flat()) {
    if (event.type !== 'game:answer_result') continue;
    const { questionId } = event;
    const commitment = promised.get(questionId);
    if (commitment && commitmentOf(event) !== commitment)
      wrong.add(`the right answer of question ${questionId} is not the one that was promised`);
  }
  return [...wrong].map((text) => ({ kind: 'commitments', text }));
}
