// Nobody changes the right answer after the question was shown. The commitment is computed here without the
// client library, which checks it too. [contract 12]
import { createHash } from 'node:crypto';
import type { ServerEvent } from '../../../client/types.ts';
import type { Violation } from '../history.ts';
import type { Heard } from './numbers.ts';
import { violationOf } from './violation.ts';

/** The part of a judgement that opens a commitment. */
interface Opening {
  questionId: string;
  correctOptionId?: number | undefined;
  correctText?: string | undefined;
  nonce: string;
}

/** @returns the commitment that the question must have carried */
export function commitmentOf(opening: Opening): string {
  const { questionId, correctOptionId, correctText, nonce } = opening;
  const text = `${questionId}:${correctText ?? correctOptionId}:${nonce}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** @param heard the events of each client */
export function checkCommitments(heard: readonly (readonly Heard[])[]): Violation[] {
  const promised = new Map<string, string>();
  /** The first event of each violation. */
  const wrong = new Map<string, ServerEvent>();
  const complain = (event: ServerEvent, text: string) => {
    if (!wrong.has(text)) wrong.set(text, event);
  };
  for (const { event } of heard.flat()) {
    if (event.type !== 'game:question') continue;
    const { questionId, commitment } = event.question;
    if (!commitment) complain(event, `question ${questionId} comes without a commitment`);
    else if ((promised.get(questionId) ?? commitment) !== commitment)
      complain(event, `question ${questionId} has two commitments`);
    else promised.set(questionId, commitment);
  }
  for (const { event } of heard.flat()) {
    if (event.type !== 'game:answer_result') continue;
    const { questionId } = event;
    const commitment = promised.get(questionId);
    if (commitment && commitmentOf(event) !== commitment)
      complain(event, `the right answer of question ${questionId} does not match its commitment`);
  }
  return [...wrong].map(([text, event]) => violationOf('commitments', text, event));
}
