// Checks that the service doesn't change the right answer after a question was shown: the question comes with a
// commitment, a hash over its right answer, its judgement with the nonce of the hash. [contract 12]
//
// Browsers offer WebCrypto over https and on localhost only. Over plain http nothing is checked: an attacker who could
// change the answer on its way could change this program too.
import { ApiError } from './api-error.ts';

/** The commitment of a question that is not judged yet. */
export interface Commitment {
  /** The session, without which a question of a lobby comes. Two attempts of an assignment share its questions. */
  sessionId?: string | undefined;
  questionId: string;
  commitment: string;
}

/** The part of a judgement that opens the commitment. */
interface Judgement extends Omit<Commitment, 'commitment'> {
  correctOptionId?: number | undefined;
  /** Of a question whose answer is typed. */
  correctText?: string | undefined;
  nonce: string;
}

const broken = () => new ApiError(0, 'COMMITMENT_BROKEN', 'The right answer was changed.');

/** @throws ApiError COMMITMENT_BROKEN */
export async function checkCommitment(
  commitment: string,
  { questionId, correctOptionId, correctText = `${correctOptionId}`, nonce }: Judgement,
): Promise<void> {
  const { subtle } = crypto;
  if (!subtle) return;
  const text = new TextEncoder().encode(`${questionId}:${correctText}:${nonce}`);
  const digest = new Uint8Array(await subtle.digest('SHA-256', text));
  const base64 = btoa(String.fromCharCode(...digest));
  if (base64.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '') !== commitment) throw broken();
}

/** How many commitments are stored; beyond it the oldest is removed, since its quiz was probably abandoned. */
const MAX_COMMITMENTS = 2000;

/** Stores the commitments of the questions that are not judged yet. */
export function createCommitments(known?: Commitment) {
  const kept = new Map<string, Commitment>();
  const keyOf = ({ sessionId, questionId }: Omit<Commitment, 'commitment'>) => `${sessionId} ${questionId}`;
  /** @throws ApiError COMMITMENT_BROKEN when the question came with another commitment before */
  const note = (given: Commitment) => {
    const { sessionId, questionId, commitment } = given;
    const key = keyOf(given);
    if ((kept.get(key)?.commitment ?? commitment) !== commitment) throw broken();
    kept.set(key, { sessionId, questionId, commitment });
    if (kept.size > MAX_COMMITMENTS) kept.delete([...kept.keys()][0] as string);
  };
  if (known) note(known);
  return {
    note,
    /** @throws ApiError COMMITMENT_BROKEN */
    async check(judgement: Judgement) {
      const key = keyOf(judgement);
      const commitment = kept.get(key)?.commitment;
      if (commitment) await checkCommitment(commitment, judgement);
      kept.delete(key);
    },
    /** @returns the commitment that was noted last, while its question is not judged */
    last: () => [...kept.values()].at(-1),
  };
}
