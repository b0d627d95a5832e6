// Draws the wrong options of a pool's terms, and caches them, since choosing them takes long: most questions
// cost a look-up. Pure, since the randomness is a parameter. [contract 3]
import type { RandomInt } from '../random-order.ts';
import type { Pool, PoolAnswer, Term } from '../rules.ts';
import { createChooser, DISTRACTORS } from './choose.ts';

/** The number of cached sets of wrong options of a term. */
const SETS = 4;
/** One question in this number replaces its cached set, so that no set stays for ever. */
const RENEWED_ONCE_IN = 2048;
/** The number of terms outside the pool whose sets are cached. Beyond it the oldest is evicted. */
const MAX_OUTSIDE_TERMS = 500;

type DistractorPool = Pick<Pool, 'terms' | 'answers' | 'accepted'>;

/**
 * @param term a term of the pool or of its deck
 * @param accepted the accepted answers of its prompt; by default those of the pool
 * @returns three wrong options for the term; undefined where there are fewer
 */
export type DrawDistractors = (
  term: Term,
  accepted: ReadonlySet<string> | undefined,
  random: RandomInt,
) => string[] | undefined;

/** @returns a function that prepares the pool at its first call */
export function createDistractors(pool: DistractorPool): DrawDistractors {
  let draw: DrawDistractors | undefined;
  return (...asked) => {
    draw ??= createDraw(pool);
    return draw(...asked);
  };
}

/** @returns the cached sets of so many terms, and the number of sets of each */
const createSets = (terms: number) => ({
  answers: new Uint32Array(terms * SETS * DISTRACTORS),
  counts: new Uint8Array(terms),
});

function createDraw(pool: DistractorPool): DrawDistractors {
  const { terms, answers } = pool;
  const choose = createChooser(pool);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const sets = createSets(terms.length);
  const outside = new Map<string, ReturnType<typeof createSets>>();

  function setsOutside({ sourceKey, targetKey }: Term) {
    const name = `${sourceKey}\n${targetKey}`;
    const known = outside.get(name);
    if (known) return known;
    const [oldest = name] = outside.keys();
    if (outside.size === MAX_OUTSIDE_TERMS) outside.delete(oldest);
    const created = createSets(1);
    outside.set(name, created);
    return created;
  }

  return (term, given, random) => {
    const accepted = given ?? pool.accepted.get(term.sourceKey);
    const isRight = (key: string) => accepted?.has(key) ?? false;
    const own = given ? undefined : numbers.get(term);
    const { answers: cached, counts } = own === undefined ? setsOutside(term) : sets;
    const number = own ?? 0;
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
