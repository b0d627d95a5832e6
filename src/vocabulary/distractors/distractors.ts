// Draws the wrong options of a pool's terms, and caches them, since choosing them takes long: most questions
// cost a look-up. Pure, since the randomness is a parameter. [contract 3]
import type { RandomInt } from '../random-order.ts';
import { type AskedTerm, createChooser, DISTRACTORS, type PoolAnswer } from './choose.ts';

/** The number of cached sets of wrong options of a term. */
const SETS = 4;
/** One question in this number replaces its cached set, so that no set stays for ever. */
const RENEWED_ONCE_IN = 2048;

interface DistractorPool<Term> {
  terms: readonly Term[];
  /** The different answers, which options show. */
  answers: readonly PoolAnswer[];
  /** By prompt the accepted answers, which are never distractors. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * @param term a term of the pool or of its deck
 * @param accepted the accepted answers of its prompt; by default those of the pool, for which the options are cached
 * @returns three wrong options for the term; undefined where there are fewer
 */
export type DrawDistractors<Term> = (
  term: Term,
  accepted: ReadonlySet<string> | undefined,
  random: RandomInt,
) => string[] | undefined;

/** @returns a function that prepares the pool at its first call */
export function createDistractors<Term extends AskedTerm & { sourceKey: string }>(
  pool: DistractorPool<Term>,
): DrawDistractors<Term> {
  let draw: DrawDistractors<Term> | undefined;
  return (...asked) => {
    draw ??= createDraw(pool);
    return draw(...asked);
  };
}

function createDraw<Term extends AskedTerm & { sourceKey: string }>(pool: DistractorPool<Term>): DrawDistractors<Term> {
  const { terms, answers } = pool;
  const choose = createChooser(terms, answers);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const sets = new Uint32Array(terms.length * SETS * DISTRACTORS);
  /** By term: the number of its sets. */
  const counts = new Uint8Array(terms.length);

  /** @returns the indexes of three wrong answers to a term of the pool */
  function drawSet(number: number, isRight: (key: string) => boolean, random: RandomInt): Iterable<number> | undefined {
    const count = counts[number] as number;
    const isNew = count < SETS || random(RENEWED_ONCE_IN) === 0;
    const set = count < SETS ? count : random(SETS);
    const at = (number * SETS + set) * DISTRACTORS;
    if (!isNew) return sets.subarray(at, at + DISTRACTORS);
    const wrong = choose(terms[number] as Term, isRight, random);
    if (!wrong) return undefined;
    sets.set(wrong, at);
    counts[number] = Math.max(count, set + 1);
    return wrong;
  }

  return (term, given, random) => {
    const number = given ? undefined : numbers.get(term);
    const accepted = given ?? pool.accepted.get(term.sourceKey);
    const isRight = (key: string) => accepted?.has(key) ?? false;
    const wrong = number === undefined ? choose(term, isRight, random) : drawSet(number, isRight, random);
    return wrong && Array.from(wrong, (answer) => (answers[answer] as PoolAnswer).text);
  };
}
