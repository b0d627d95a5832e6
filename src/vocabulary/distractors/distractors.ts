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

/**
 * In such a share of the questions the right option may be told by its likeness to the prompt. Likeness is
 * in the eye of the beholder: less than a quarter by our measures is about a quarter by others.
 */
const TOLD = 0.22;
/** So many other translations are looked at: somebody's own list may have a thousand of one prompt. */
const TWINS_TRIED = 3;
/** So many questions may be told beyond that share before others make up for them, or the other way round. */
const MOST_AHEAD = 10;

/** What distractors are drawn from. */
export interface DistractorPool<Term> {
  terms: readonly Term[];
  /** What can stand on an option, each once. */
  answers: readonly Answer[];
  /** By prompt what is right, and so never a distractor. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
  /** @returns what a question shows of a term, but for the options */
  promptOf(term: Term): string;
}

/** A term as it is asked. */
export interface Drawn<Term> {
  term: Term;
  distractors: string[];
}

/**
 * @param term the pool's, or another of its deck
 * @param accepted what is right for its prompt; what the pool knows to be, unless given
 * @returns three wrong options for it, or for another translation of its prompt that is told less;
 * undefined when there are not as many
 */
export type DrawDistractors<Term> = (
  term: Term,
  accepted: ReadonlySet<string> | undefined,
  random: RandomInt,
) => Drawn<Term> | undefined;

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

function createDraw<Term extends Asked & { sourceKey: string }>(
  pool: DistractorPool<Term>,
): DrawDistractors<Term> {
  const { terms, answers, accepted: known } = pool;
  const choose = createChoose(terms, answers);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  /** By term: the next translation of its prompt, and after the last one the first. */
  const nextTwin = ringsOf(terms.map(pool.promptOf));
  const sets = new Uint32Array(terms.length * SETS * DISTRACTORS);
  /** By set: whether the right option looks more like the prompt than the wrong ones. */
  const told = new Uint8Array(terms.length * SETS);
  /** How many sets each term has. */
  const counts = new Uint8Array(terms.length);
  /** How many more questions were told than should be. */
  let ahead = 0;
  /** The first that came goes first. */
  const setsOfOthers = new Map<string, number[][]>();
  const textOf = (answer: number | undefined) => (answers[answer as number] as Answer).text;

  /** @returns the number of one of a term's sets */
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
    told[at] = Number(chosen.isTold);
    counts[number] = Math.max(count, set + 1);
    return at;
  }

  /** @returns the number of one of a term's sets; of another translation's when too many were told */
  function drawUntold(number: number, random: RandomInt): number | undefined {
    const first = drawSet(number, random);
    if (first === undefined || ahead <= 0 || !told[first]) return first;
    let twin = nextTwin[number] as number;
    for (let tried = 0; twin !== number && tried < TWINS_TRIED; tried++) {
      const other = drawSet(twin, random);
      if (other !== undefined && !told[other]) return other;
      twin = nextTwin[twin] as number;
    }
    return first;
  }

  function draw(number: number, random: RandomInt): Drawn<Term> | undefined {
    const set = drawUntold(number, random);
    if (set === undefined) return undefined;
    const now = ahead + (told[set] as number) - TOLD;
    ahead = Math.max(-MOST_AHEAD, Math.min(MOST_AHEAD, now));
    const from = set * DISTRACTORS;
    return {
      term: terms[Math.floor(set / SETS)] as Term,
      distractors: [textOf(sets[from]), textOf(sets[from + 1]), textOf(sets[from + 2])],
    };
  }

  function drawForOther(
    term: Term,
    accepted: ReadonlySet<string>,
    random: RandomInt,
  ): Drawn<Term> | undefined {
    const name = `${term.sourceKey}\n${term.targetKey}`;
    const own = setsOfOthers.get(name) ?? [];
    const { set, isNew } = pickSet(own.length, random);
    const isRight = (key: string) => accepted.has(key);
    // Since they were chosen one of them may have become right.
    const isStale = own[set]?.some((answer) => isRight((answers[answer] as Answer).key));
    const chosen = isNew || isStale ? choose(term, isRight, random)?.wrong : own[set];
    if (!chosen) return undefined;
    if (chosen !== own[set]) {
      own[set] = chosen;
      setsOfOthers.set(name, own);
      if (setsOfOthers.size > MAX_OTHERS)
        setsOfOthers.delete(setsOfOthers.keys().next().value as string);
    }
    return { term, distractors: chosen.map(textOf) };
  }

  return (term, accepted, random) => {
    const number = numbers.get(term);
    return accepted || number === undefined
      ? drawForOther(term, accepted ?? known.get(term.sourceKey) ?? new Set(), random)
      : draw(number, random);
  };
}

/** @param count how many sets a term has */
function pickSet(count: number, random: RandomInt): { set: number; isNew: boolean } {
  if (count < SETS) return { set: count, isNew: true };
  return { isNew: random(RENEWED_ONCE_IN) === 0, set: random(SETS) };
}

/** @returns for each place the next with the same name, and for the last one the first */
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
