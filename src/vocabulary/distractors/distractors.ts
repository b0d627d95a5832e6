// The wrong options of a pool's terms. They are chosen with care, which takes a while, and so remembered:
// most questions cost a look-up. Pure: the randomness is passed in. [contract 3]
import type { RandomInt } from '../random-order.ts';
import { type Answer, type Asked, createChoose, DISTRACTORS } from './choose.ts';

/** How many sets of wrong options are remembered for a term. */
const SETS = 4;
/** Once in so many questions a set is chosen anew, so that none stays for ever. */
const RENEWED_ONCE_IN = 2048;
/** Of so many terms that are not the pool's, but of its deck, they are remembered too. */
const MAX_OTHERS = 500;

/** What distractors are drawn from. */
export interface DistractorPool<Term> {
  terms: readonly Term[];
  /** What can stand on an option, each once. */
  answers: readonly Answer[];
  /** By prompt what is right, and so never a distractor. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * @param term the pool's, or another of its deck
 * @param accepted what is right for its prompt; what the pool knows to be, unless given
 * @returns three wrong options; undefined when there are not as many
 */
export type DrawDistractors<Term> = (
  term: Term,
  accepted: ReadonlySet<string> | undefined,
  random: RandomInt,
) => string[] | undefined;

/** Costs nothing until something is drawn. */
export function createDistractors<Term extends Asked & { sourceKey: string }>(
  pool: DistractorPool<Term>,
): DrawDistractors<Term> {
  let draw: DrawDistractors<Term> | undefined;
  return (...asked) => {
    draw ??= createDraw(pool);
    return draw(...asked);
  };
}

function createDraw<Term extends Asked & { sourceKey: string }>({
  terms,
  answers,
  accepted: known,
}: DistractorPool<Term>): DrawDistractors<Term> {
  const choose = createChoose(terms, answers);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const sets = new Uint32Array(terms.length * SETS * DISTRACTORS);
  /** How many sets each term has. */
  const counts = new Uint8Array(terms.length);
  /** The first that came goes first. */
  const setsOfOthers = new Map<string, number[][]>();
  const textOf = (answer: number | undefined) => (answers[answer as number] as Answer).text;

  function draw(number: number, term: Term, random: RandomInt): string[] | undefined {
    const count = counts[number] as number;
    const { set, isNew } = pickSet(count, random);
    const from = (number * SETS + set) * DISTRACTORS;
    if (isNew) {
      const accepted = known.get(term.sourceKey);
      const chosen = choose(term, (key) => accepted?.has(key) ?? false, random);
      if (!chosen) return undefined;
      sets.set(chosen, from);
      counts[number] = Math.max(count, set + 1);
    }
    return [textOf(sets[from]), textOf(sets[from + 1]), textOf(sets[from + 2])];
  }

  function drawForOther(
    term: Term,
    accepted: ReadonlySet<string>,
    random: RandomInt,
  ): string[] | undefined {
    const name = `${term.sourceKey}\n${term.targetKey}`;
    const own = setsOfOthers.get(name) ?? [];
    const { set, isNew } = pickSet(own.length, random);
    const isRight = (key: string) => accepted.has(key);
    // Since they were chosen one of them may have become right.
    const isStale = own[set]?.some((answer) => isRight((answers[answer] as Answer).key));
    const chosen = isNew || isStale ? choose(term, isRight, random) : own[set];
    if (!chosen) return undefined;
    if (chosen !== own[set]) {
      own[set] = chosen;
      setsOfOthers.set(name, own);
      if (setsOfOthers.size > MAX_OTHERS)
        setsOfOthers.delete(setsOfOthers.keys().next().value as string);
    }
    return chosen.map(textOf);
  }

  return (term, accepted, random) => {
    const number = numbers.get(term);
    return accepted || number === undefined
      ? drawForOther(term, accepted ?? known.get(term.sourceKey) ?? new Set(), random)
      : draw(number, term, random);
  };
}

/** @param count how many sets a term has */
function pickSet(count: number, random: RandomInt): { set: number; isNew: boolean } {
  if (count < SETS) return { set: count, isNew: true };
  return { isNew: random(RENEWED_ONCE_IN) === 0, set: random(SETS) };
}
