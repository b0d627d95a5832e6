// Draws the wrong options of a pool's terms, and caches them, since choosing them takes long: most questions
// cost a look-up. Pure, since the randomness is a parameter. [contract 3]
import type { RandomInt } from '../random-order.ts';
import { type AskedTerm, createChooser, DISTRACTORS, type PoolAnswer } from './choose.ts';

/** The number of cached sets of wrong options of a term. */
const SETS = 4;
/** One question in this number replaces its cached set, so that no set stays for ever. */
const RENEWED_ONCE_IN = 2048;
/** The number of terms outside the pool whose sets are cached. Beyond it the oldest is evicted. */
const MAX_OUTSIDE_TERMS = 500;

interface DistractorPool<Term> {
  terms: readonly Term[];
  /** The different answers, which options show. */
  answers: readonly PoolAnswer[];
  /** By prompt the accepted answers, which are never distractors. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * @param term a term of the pool or of its deck
 * @param accepted the accepted answers of its prompt; by default those of the pool
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

/** The cached sets of terms, which have numbers. */
interface Sets {
  answers: Uint32Array;
  /** By term: the number of its sets. */
  counts: Uint8Array;
}

const createSets = (terms: number): Sets => ({
  answers: new Uint32Array(terms * SETS * DISTRACTORS),
  counts: new Uint8Array(terms),
});

function createDraw<Term extends AskedTerm & { sourceKey: string }>(pool: DistractorPool<Term>): DrawDistractors<Term> {
  const { terms, answers } = pool;
  const choose = createChooser(terms, answers);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const sets = createSets(terms.length);
  const outsideNumbers = new Map<string, number>();
  let outsideSets: Sets | undefined;

  function setsOutside(): Sets {
    outsideSets ??= createSets(MAX_OUTSIDE_TERMS);
    return outsideSets;
  }

  /** @returns the number of a term outside the pool, for which the oldest one may be evicted */
  function outsideNumberOf({ sourceKey, targetKey }: Term, counts: Uint8Array): number {
    const name = `${sourceKey}\n${targetKey}`;
    const known = outsideNumbers.get(name);
    if (known !== undefined) return known;
    const [oldest] = outsideNumbers;
    const isFull = oldest && outsideNumbers.size === MAX_OUTSIDE_TERMS;
    const number = isFull ? oldest[1] : outsideNumbers.size;
    if (isFull) outsideNumbers.delete(oldest[0]);
    outsideNumbers.set(name, number);
    counts[number] = 0;
    return number;
  }

  return (term, given, random) => {
    const accepted = given ?? pool.accepted.get(term.sourceKey);
    const isRight = (key: string) => accepted?.has(key) ?? false;
    const own = given ? undefined : numbers.get(term);
    const { answers: cached, counts } = own === undefined ? setsOutside() : sets;
    const number = own ?? outsideNumberOf(term, counts);
    const count = counts[number] as number;
    const isNew = count < SETS || random(RENEWED_ONCE_IN) === 0;
    const set = count < SETS ? count : random(SETS);
    const at = (number * SETS + set) * DISTRACTORS;
    const answerAt = (place: number) => answers[cached[at + place] as number] as PoolAnswer;
    // An import may have made a cached wrong option right.
    if (isNew || isRight(answerAt(0).key) || isRight(answerAt(1).key) || isRight(answerAt(2).key)) {
      const chosen = choose(term, isRight, random);
      if (!chosen) return undefined;
      cached.set(chosen, at);
      counts[number] = Math.max(count, set + 1);
    }
    return [answerAt(0).text, answerAt(1).text, answerAt(2).text];
  };
}
