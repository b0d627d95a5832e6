// Judges a typed answer to a drawn question, whose translations of other prompts are known. [contract 20]
import { type AnswerKey, canonicalKeyOf, type Verdict, verdictOf } from '../../judging/verdict.ts';

/** What the answers to a drawn question are compared with. */
export interface TypedKey extends AnswerKey {
  /** The canonical keys of other prompts' translations that are close to an accepted one. */
  others: readonly number[];
}

/** @returns the verdict; an answer that is another prompt's translation is never `close` */
export function judgeTyped(answer: string, key: TypedKey): Verdict {
  const verdict = verdictOf(answer, key);
  if (verdict !== 'close') return verdict;
  return key.others.includes(canonicalKeyOf(answer, key.language)) ? 'wrong' : 'close';
}
