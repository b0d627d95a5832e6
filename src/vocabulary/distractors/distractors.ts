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

/**
 * The share of questions in which the right option may resemble the prompt most. It is below a quarter, since
 * other measures of likeness than those of likeness.ts then give about a quarter.
 */
const GUESSABLE_SHARE = 0.22;
/** The number of other translations that are tried. A user's list may have a thousand for one prompt. */
const MAX_TRANSLATIONS_TRIED = 3;
/** The maximum surplus or deficit of guessable questions, for which later questions compensate. */
const MAX_SURPLUS = 10;

interface DistractorPool<Term> {
  terms: readonly Term[];
  /** The different answers, which options show. */
  answers: readonly PoolAnswer[];
  /** By prompt the accepted answers, which are never distractors. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
  /** @returns the key of what a question shows of a term besides the options */
  promptOf(term: Term): string;
}

export interface DrawnTerm<Term> {
  term: Term;
  distractors: string[];
}

/**
 * @param term a term of the pool or of its deck
 * @param accepted the accepted answers of its prompt; by default those of the pool
 * @returns three wrong options for the term, or for a less guessable translation of its prompt; undefined
 *   where there are fewer than three
 */
export type DrawDistractors<Term> = (
  term: Term,
  accepted: ReadonlySet<string> | undefined,
  random: RandomInt,
) => DrawnTerm<Term> | undefined;

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
  const { terms, answers, accepted: known } = pool;
  const choose = createChooser(terms, answers);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  /** By term: the next translation of its prompt, and after the last one the first. */
  const nextTranslation = ringsOf(terms.map(pool.promptOf));
  const sets = new Uint32Array(terms.length * SETS * DISTRACTORS);
  /** By set: 1 where the right option resembles the prompt more than the wrong ones. */
  const guessable = new Uint8Array(terms.length * SETS);
  /** By term: the number of its sets. */
  const counts = new Uint8Array(terms.length);
  /** The number of guessable questions beyond their share. */
  let surplus = 0;
  const setsOfOutsideTerms = new Map<string, number[][]>();
  const textOf = (answer: number | undefined) => (answers[answer as number] as PoolAnswer).text;

  function drawSet(number: number, random: RandomInt): number | undefined {
    const count = counts[number] as number;
    const { set, isNew } = pickSet(count, random);
    const at = number * SETS + set;
    if (!isNew) return at;
    const term = terms[number] as Term;
    const accepted = known.get(term.sourceKey);
    const chosen = choose(term, (key) => accepted?.has(key) ?? false, random);
    if (!chosen) return undefined;
    sets.set(chosen.wrong, at * DISTRACTORS);
    guessable[at] = Number(chosen.isGuessable);
    counts[number] = Math.max(count, set + 1);
    return at;
  }

  /** @returns the index of a set of the term, or of another translation after too many guessable questions */
  function drawBalancedSet(number: number, random: RandomInt): number | undefined {
    const first = drawSet(number, random);
    if (first === undefined || surplus <= 0 || !guessable[first]) return first;
    let other = nextTranslation[number] as number;
    for (let tried = 0; other !== number && tried < MAX_TRANSLATIONS_TRIED; tried++) {
      const set = drawSet(other, random);
      if (set !== undefined && !guessable[set]) return set;
      other = nextTranslation[other] as number;
    }
    return first;
  }

  function draw(number: number, random: RandomInt): DrawnTerm<Term> | undefined {
    const set = drawBalancedSet(number, random);
    if (set === undefined) return undefined;
    const now = surplus + (guessable[set] as number) - GUESSABLE_SHARE;
    surplus = Math.max(-MAX_SURPLUS, Math.min(MAX_SURPLUS, now));
    const from = set * DISTRACTORS;
    return {
      term: terms[Math.floor(set / SETS)] as Term,
      distractors: [textOf(sets[from]), textOf(sets[from + 1]), textOf(sets[from + 2])],
    };
  }

  function drawForOutsideTerm(
    term: Term,
    accepted: ReadonlySet<string>,
    random: RandomInt,
  ): DrawnTerm<Term> | undefined {
    const name = `${term.sourceKey}\n${term.targetKey}`;
    const own = setsOfOutsideTerms.get(name) ?? [];
    const { set, isNew } = pickSet(own.length, random);
    const isRight = (key: string) => accepted.has(key);
    // An import may have made a cached wrong option right.
    const isStale = own[set]?.some((answer) => isRight((answers[answer] as PoolAnswer).key));
    const chosen = isNew || isStale ? choose(term, isRight, random)?.wrong : own[set];
    if (!chosen) return undefined;
    if (chosen !== own[set]) {
      own[set] = chosen;
      setsOfOutsideTerms.set(name, own);
      if (setsOfOutsideTerms.size > MAX_OUTSIDE_TERMS)
        setsOfOutsideTerms.delete(setsOfOutsideTerms.keys().next().value as string);
    }
    return { term, distractors: chosen.map(textOf) };
  }

  return (term, accepted, random) => {
    const number = numbers.get(term);
    return accepted || number === undefined
      ? drawForOutsideTerm(term, accepted ?? known.get(term.sourceKey) ?? new Set(), random)
      : draw(number, random);
  };
}

/** @returns which of the term's sets to use, and whether it is to be chosen anew */
function pickSet(count: number, random: RandomInt): { set: number; isNew: boolean } {
  if (count < SETS) return { set: count, isNew: true };
  return { isNew: random(RENEWED_ONCE_IN) === 0, set: random(SETS) };
}

/** @returns for each index the next index with the same name, and for the last one the first */
function ringsOf(names: readonly string[]): Uint32Array {
  const next = Uint32Array.from(names.keys());
  const lasts = new Map<string, number>();
  for (const [place, name] of names.entries()) {
    const last = lasts.get(name) ?? place;
    next[place] = next[last] as number;
    next[last] = place;
    lasts.set(name, place);
  }
  return next;
}
