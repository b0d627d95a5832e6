// The proof that nobody changes the right answer after the question was shown: a question comes with
// a fingerprint of its answer, the judgement with what it takes to compute it again. [contract 12]
//
// The fingerprint is computed by the platform's WebCrypto, which browsers have over https and on
// localhost alone. Over plain http nothing is checked: whoever could change the answer on its way
// could change this program too, so that a SHA-256 of our own would weigh more than it proves.
import { ApiError } from './api-error.ts';

/** As a service from before the commitments sends it, too. */
interface Committed {
  questionId: string;
  commitment?: string;
}

interface Judged {
  questionId: string;
  correctOptionId: number;
  nonce?: string;
}

/** A question that is not judged yet, and what was promised of it. */
export interface Promised {
  questionId: string;
  commitment: string;
}

/** @throws ApiError COMMITMENT_BROKEN */
export async function checkCommitment(
  commitment: string,
  { questionId, correctOptionId, nonce }: Judged,
): Promise<void> {
  const { subtle } = crypto;
  if (!subtle) return;
  const text = new TextEncoder().encode(`${questionId}:${correctOptionId}:${nonce}`);
  const digest = new Uint8Array(await subtle.digest('SHA-256', text));
  const base64 = btoa(String.fromCharCode(...digest));
  if (base64.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '') !== commitment) broken();
}

/** So many promises are remembered: of sessions that nobody finishes. */
const MAX_PROMISES = 2000;

/** The promises that are to be kept. */
export interface Promises {
  /** @throws ApiError COMMITMENT_BROKEN when something else was promised before */
  note(question: object): void;
  /** @throws ApiError COMMITMENT_BROKEN */
  check(judged: Judged): Promise<void>;
  /** The question noted last, while it is not judged. */
  last(): Promised | undefined;
}

export function createPromises(known?: Promised): Promises {
  const promised = new Map<string, string>();
  const note = (question: object) => {
    const { questionId, commitment } = question as Committed;
    const before = promised.get(questionId);
    if (before !== undefined && before !== commitment) broken();
    if (commitment === undefined) return;
    promised.set(questionId, commitment);
    if (promised.size > MAX_PROMISES) promised.delete(promised.keys().next().value as string);
  };
  if (known) note(known);
  return {
    note,
    async check(judged) {
      const commitment = promised.get(judged.questionId);
      if (commitment === undefined) return;
      await checkCommitment(commitment, judged);
      promised.delete(judged.questionId);
    },
    last() {
      const entry = [...promised].at(-1);
      return entry && { questionId: entry[0], commitment: entry[1] };
    },
  };
}

function broken(): never {
  throw new ApiError(0, 'COMMITMENT_BROKEN', 'The right answer is not the one that was promised.');
}
