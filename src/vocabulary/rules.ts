// How questions are made from a deck's terms: pure, with the randomness passed in, so that every
// rule of the specification can be tested over any vocabulary. [contract 3]
import { AppError } from '../errors.ts';
import { type Answer, DISTRACTORS } from './distractors/choose.ts';
import { createDistractors, type DrawDistractors, type Drawn } from './distractors/distractors.ts';
import { inRandomOrder, type RandomInt } from './random-order.ts';
import type { Deck, Question } from './schema.ts';

/** One prompt with one accepted translation. The keys are the texts as they are compared. */
export interface Term {
  sourceText: string;
  targetText: string;
  sourceGloss: string | null;
  sourceKey: string;
  targetKey: string;
  /** What it is about, where that is known, as `food`. */
  field: string | null;
}

/** An accepted translation of a prompt, in whichever deck of the direction it is stored. */
export type Accepted = Pick<Term, 'sourceKey' | 'targetKey'>;

/** What questions are drawn from: the terms of one deck, or a sample of them. */
export interface Pool {
  /** Of a deck that somebody has loaded. */
  deckId?: number;
  terms: readonly Term[];
  /** Whether these are all. */
  isWhole: boolean;
  /** The different target texts: what can stand on an option. */
  answers: readonly Answer[];
  /** For each prompt everything that is right, and so never a distractor. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many questions can be asked at most: prompt and gloss are never asked twice. */
  prompts: number;
  /** Draws wrong options, and remembers them. */
  distractors: DrawDistractors<Term>;
}

/** A question with what only the server knows. */
export interface KeyedQuestion {
  question: Omit<Question, 'commitment'>;
  correctOptionId: number;
}

/** A question as it is asked: the right option can be proved to have been fixed before. */
export interface SealedQuestion extends KeyedQuestion {
  question: Question;
  /** Opens the question's commitment. [contract 12] */
  nonce: string;
}

/**
 * A text as it is compared: in Unicode NFC, case-folded, trimmed. JavaScript has no case folding;
 * lower, upper, lower case folds as much: upper case unites ß, ẞ and SS, and lower case what upper
 * case keeps apart.
 */
export function normalise(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC').trim();
}

/** A deck, or a list by its id. */
type Named = { [Field in keyof Deck]?: Deck[Field] | undefined } & { listId?: string | undefined };

/** @returns what tells the words of a deck or a list from all others, as `en it noun A1` or `list <id>` */
export function wordsName(words: Named): string {
  const { listId, sourceLanguage, targetLanguage, pos, difficulty } = words;
  if (listId !== undefined) return `list ${listId}`;
  return `${sourceLanguage} ${targetLanguage} ${pos} ${difficulty}`;
}

/**
 * @param accepted translations of the terms' prompts; those of `terms` themselves may be left out
 * @param isWhole whether `terms` are all that the deck or list has
 */
export function preparePool(
  terms: readonly Term[],
  accepted: readonly Accepted[],
  isWhole = true,
): Pool {
  const answers = new Map(
    terms.map(({ targetKey: key, targetText: text, field }) => [key, { key, text, field }]),
  );
  const bySource = new Map<string, Set<string>>();
  for (const { sourceKey, targetKey } of [...terms, ...accepted]) {
    // A translation that stands on no option of this pool need not be remembered.
    if (!answers.has(targetKey)) continue;
    const known = bySource.get(sourceKey);
    if (known) known.add(targetKey);
    else bySource.set(sourceKey, new Set([targetKey]));
  }
  const pool = { terms, answers: [...answers.values()], accepted: bySource };
  const prompts = new Set(terms.map(promptKey)).size;
  const distractors = createDistractors<Term>({ ...pool, promptOf: promptKey });
  return { ...pool, isWhole, prompts, distractors };
}

/**
 * Makes questions: different prompts, options in random order. What it costs depends on `count`, not
 * on the size of the pool.
 *
 * @param terms the pool's in the order in which they are tried; at random unless given
 * @param accepted what is right for prompts among `terms` that the pool does not hold
 * @param random decides everything; cryptographic in production
 * @param newId makes the questions' ids
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export function buildQuestions(options: {
  pool: Pool;
  terms?: Iterable<Term>;
  accepted?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  count: number;
  random: RandomInt;
  newId: () => string;
}): KeyedQuestion[] {
  const { pool, accepted, count, random, newId } = options;
  const { terms = inRandomOrder(pool.terms, random) } = options;
  refuseThinPool(pool, count);
  const questions: KeyedQuestion[] = [];
  const asked = new Map<string, Term[]>();
  for (const term of terms) {
    const twins = asked.get(term.sourceKey) ?? [];
    if (twins.some((twin) => promptKey(twin) === promptKey(term))) continue;
    asked.set(term.sourceKey, [...twins, term]);
    const drawn = pool.distractors(term, accepted?.get(term.sourceKey), random);
    if (!drawn) continue;
    questions.push(ask(drawn, random, newId));
    if (questions.length === count) return questions;
  }
  throw new AppError(
    'NOT_ENOUGH_DISTRACTORS',
    'The words that match are too alike for questions with three wrong options each.',
  );
}

function refuseThinPool({ terms, prompts }: Pool, count: number): void {
  if (terms.length === 0) throw new AppError('NO_MATCHING_TERMS');
  if (prompts >= count) return;
  const matching = terms.length === 1 ? 'Only 1 term matches' : `Only ${terms.length} terms match`;
  throw new AppError(
    'NOT_ENOUGH_TERMS',
    prompts === terms.length
      ? `${matching}.`
      : `${matching}, which is enough for ${prompts} different ${prompts === 1 ? 'question' : 'questions'}.`,
  );
}

/** @returns how many different questions can be asked: each with three usable distractors. [contract 13] */
export function countQuestions(pool: Pool): number {
  return new Set(pool.terms.filter((term) => canBeAsked(pool, term)).map(promptKey)).size;
}

/** @returns whether a pool has three wrong options for a term of its own */
export function canBeAsked({ answers, accepted }: Pool, { sourceKey }: Term): boolean {
  return answers.length - (accepted.get(sourceKey)?.size ?? 0) >= DISTRACTORS;
}

/** What makes two questions the same to a player: the prompt with its gloss. */
export function promptKey({
  sourceKey,
  sourceGloss,
}: Pick<Term, 'sourceKey' | 'sourceGloss'>): string {
  return `${sourceKey}\n${sourceGloss === null ? '' : normalise(sourceGloss)}`;
}

function ask(
  { term, distractors }: Drawn<Term>,
  random: RandomInt,
  newId: () => string,
): KeyedQuestion {
  const correctOptionId = random(DISTRACTORS + 1);
  const texts = distractors.toSpliced(correctOptionId, 0, term.targetText);
  const question = {
    questionId: newId(),
    prompt: term.sourceText,
    ...(term.sourceGloss === null ? {} : { gloss: term.sourceGloss }),
    options: texts.map((text, optionId) => ({ optionId, text })),
  };
  return { question, correctOptionId };
}
