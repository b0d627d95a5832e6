// Makes questions from the terms of a deck or list. Pure: the randomness is a parameter, so that tests can
// check every rule of the contract over any vocabulary. [contract 3]
import { AppError } from '../errors.ts';
import { foldCase } from '../text.ts';
import { createDistractors, DISTRACTORS, type DrawDistractors } from './distractors/distractors.ts';
import { inRandomOrder, type RandomInt } from './random-order.ts';
import type { AnswerMode, Deck, Question, QuestionOption } from './schema.ts';

/** A prompt with one accepted translation. The keys are the normalised texts, by which terms are compared. */
export interface Term {
  sourceText: string;
  targetText: string;
  sourceGloss: string | null;
  sourceKey: string;
  targetKey: string;
  /** The semantic field, such as `food`, where it is known. It is the topic of the term. */
  field: string | null;
  /** Whether another translation of the prompt is asked instead, and this one is only accepted. [contract 26] */
  isAlternative?: boolean | undefined;
}

/** An accepted translation of a prompt, in any deck of the direction. */
export type Accepted = Pick<Term, 'sourceKey' | 'targetKey'>;

export type PoolAnswer = { key: string; text: string } & Pick<Term, 'field'>;

/**
 * The number of questions that terms give, by which a start can be refused without loading the terms. Prompts are
 * different pairs of prompt and gloss, none of which is asked twice in a game, and questions those with three distractors.
 */
export type Supply = { terms: number; prompts: number; questions: number };

/** The terms of a deck or a list, or a sample of them, from which questions are drawn. */
export interface Pool {
  deckId?: number;
  /** The terms that are asked: none of them is an alternative. */
  terms: readonly Term[];
  isWhole: boolean;
  /** The different target texts, which options are made of. */
  answers: readonly PoolAnswer[];
  /** All terms by `promptKey`, alternatives too, each in the order of the deck or list. */
  byPrompt: ReadonlyMap<string, readonly Term[]>;
  /** The keys of all accepted translations by prompt, which are never distractors. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
  supply: Supply;
  /** @returns the `promptKey` of a term; those of the pool's own terms are precomputed */
  promptOf(term: Term): string;
  distractors: DrawDistractors;
}

/** A question with its right option, which clients don't see. */
export interface KeyedQuestion {
  question: Omit<Question, 'commitment' | 'options'> & { options: QuestionOption[] };
  correctOptionId: number;
}

/** What the answers to a question are compared with, which clients don't see before the judgement. */
export type Solution = { correctOptionId: number } | TypedSolution;

/** The accepted translations. The asked one, which is the correct text, is the first. */
export type TypedSolution = { accepted: readonly string[] };

/** A question with the nonce that opens its commitment. [contract 12] */
export type SealedQuestion = { question: Question; nonce: string } & Solution;

/** Returns the form in which texts are compared. */
export const normalise = foldCase;

/** A list, and whether it is asked the other way round, which gives other words. [contract 26] */
export type ListDirection = { listId: string; reverse?: boolean | undefined };
export type KnownDirection = ListDirection & { reverse: boolean };

/** @returns the unique name of a deck or list, such as `en it noun A1`, `list <id>` or `list <id> reverse` */
export function wordsName(
  words: { readonly [Field in keyof Deck | 'listId']?: string | undefined } & Pick<ListDirection, 'reverse'>,
): string {
  const { listId, reverse, sourceLanguage, targetLanguage, pos, difficulty } = words;
  if (listId !== undefined) return `list ${listId}${reverse ? ' reverse' : ''}`;
  return `${sourceLanguage} ${targetLanguage} ${pos} ${difficulty}`;
}

/** @returns the list that a `wordsName` names; null for that of a deck */
export function listOfName(name: string): KnownDirection | null {
  const [, listId, reverse] = /^list (\S+)( reverse)?$/.exec(name) ?? [];
  return listId === undefined ? null : { listId, reverse: reverse !== undefined };
}

/**
 * Makes a pool, in time proportional to the number of terms.
 * @param accepted accepted translations of the terms' prompts, beside those in `terms`
 * @param promptKeys the terms' `promptKey`s, if the caller has computed them
 */
export function preparePool(
  terms: readonly Term[],
  accepted: readonly Accepted[],
  isWhole = true,
  promptKeys: ReadonlyMap<Term, string> = new Map(terms.map((term) => [term, promptKey(term)])),
): Pool {
  const asked = terms.filter(isAsked);
  const answers = new Map(asked.map(({ targetKey: key, targetText: text, field }) => [key, { key, text, field }]));
  const bySource = acceptedAmong(answers, [...terms, ...accepted]);
  const promptOf = (term: Term) => promptKeys.get(term) ?? promptKey(term);
  const byPrompt = groupBy(terms, promptOf);
  const pool = { terms: asked, answers: [...answers.values()], accepted: bySource, byPrompt, promptOf };
  const supply = supplyOf(pool, (term) => canBeAsked(pool, term));
  return { ...pool, isWhole, supply, distractors: createDistractors(pool) };
}

function supplyOf({ terms, promptOf }: Pick<Pool, 'terms' | 'promptOf'>, isAskable: (term: Term) => boolean): Supply {
  const count = (some: readonly Term[]) => new Set(some.map(promptOf)).size;
  return { terms: terms.length, prompts: count(terms), questions: count(terms.filter(isAskable)) };
}

/** @returns by prompt the accepted translations that options can show; the others needn't be stored */
function acceptedAmong(answers: ReadonlyMap<string, unknown>, accepted: readonly Accepted[]): Map<string, Set<string>> {
  const shown = accepted.filter(({ targetKey }) => answers.has(targetKey));
  const bySource = groupBy(shown, ({ sourceKey }) => sourceKey);
  return new Map([...bySource].map(([prompt, all]) => [prompt, new Set(all.map(({ targetKey }) => targetKey))]));
}

/** Groups as `Map.groupBy` does. The page is checked together with this file, and its browsers may lack that function. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known) known.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

export const isAsked = ({ isAlternative }: Term) => !isAlternative;

/**
 * Makes the pool of a topic. Wrong options are of the topic where it has three, and else of the deck. [contract 26]
 * @param terms the terms of the topic, those that the deck has where it is whole
 * @param accepted accepted translations of their prompts; the pool of a whole deck has them
 */
export function topicPool(deck: Pool, terms: readonly Term[], accepted: readonly Accepted[] = []): Pool {
  const { isWhole } = deck;
  const known = terms.flatMap(({ sourceKey }) =>
    [...(deck.accepted.get(sourceKey) ?? [])].map((targetKey) => ({ sourceKey, targetKey })),
  );
  const own = preparePool(terms, [...known, ...accepted]);
  const answers = new Map(deck.answers.map((answer) => [answer.key, answer]));
  const ofPrompts = acceptedAmong(answers, [...terms, ...known, ...accepted]);
  const byPrompt = isWhole ? deck.byPrompt : own.byPrompt;
  const pool = { ...deck, terms: own.terms, byPrompt, accepted: ofPrompts };
  const supply = supplyOf(pool, (term) => canBeAsked(own, term) || canBeAsked(pool, term));
  return {
    ...pool,
    supply,
    distractors: (term, among, random) =>
      own.distractors(term, among, random) ??
      deck.distractors(term, among ?? (isWhole ? undefined : pool.accepted.get(term.sourceKey)), random),
  };
}

/**
 * Makes questions with different prompts and options in random order, one at a time, so that the caller may pause. The
 * time depends on `count`, not on the size of the pool.
 * @param terms the terms in the order in which they are tried; by default those of the pool in random order
 * @param accepted accepted translations of prompts among `terms` that the pool doesn't contain
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export function* buildQuestions(options: {
  pool: Pool;
  terms?: Iterable<Term>;
  accepted?: Pool['accepted'] | undefined;
  count: number;
  random: RandomInt;
  newId: () => string;
}): Generator<KeyedQuestion> {
  const { pool, accepted, count, random, newId, terms = inRandomOrder(pool.terms, random) } = options;
  requireSupply(pool.supply, count);
  let made = 0;
  const asked = new Set<string>();
  for (const term of terms) {
    const prompt = pool.promptOf(term);
    if (asked.has(prompt)) continue;
    asked.add(prompt);
    const wrong = pool.distractors(term, accepted?.get(term.sourceKey), random);
    if (!wrong) continue;
    yield ask(term, wrong, random, newId);
    if (++made === count) return;
  }
  throw tooAlike();
}

const TOO_ALIKE = 'The words that match are too alike for questions with three wrong options each.';
const tooAlike = () => new AppError('NOT_ENOUGH_DISTRACTORS', TOO_ALIKE);

/**
 * Refuses to draw more questions than the terms give.
 * @param answerMode typed questions need no distractors
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS, whichever applies first
 */
export function requireSupply(supply: Supply, count: number, answerMode: AnswerMode = 'choice'): void {
  const { terms, prompts, questions } = supply;
  if (terms === 0) throw new AppError('NO_MATCHING_TERMS');
  if (prompts < count) {
    const matching = terms === 1 ? 'Only 1 term matches' : `Only ${terms} terms match`;
    const enough = `, which is enough for ${prompts} different ${prompts === 1 ? 'question' : 'questions'}`;
    throw new AppError('NOT_ENOUGH_TERMS', `${matching}${prompts === terms ? '' : enough}.`);
  }
  if (answerMode === 'choice' && questions < count) throw tooAlike();
}

/** @returns whether a pool has three distractors for one of its terms */
export function canBeAsked({ answers, accepted }: Pick<Pool, 'answers' | 'accepted'>, { sourceKey }: Term): boolean {
  return answers.length - (accepted.get(sourceKey)?.size ?? 0) >= DISTRACTORS;
}

/** @returns a key of the prompt with its gloss: two terms with the same key look the same to a player */
export function promptKey({ sourceKey, sourceGloss }: Pick<Term, 'sourceKey' | 'sourceGloss'>): string {
  return `${sourceKey}\n${sourceGloss === null ? '' : normalise(sourceGloss)}`;
}

export type WordText = Pick<Question, 'prompt' | 'gloss'>;

export function toWord({ sourceText, sourceGloss }: Pick<Term, 'sourceText' | 'sourceGloss'>): WordText {
  return { prompt: sourceText, ...(sourceGloss !== null && { gloss: sourceGloss }) };
}

/** @returns the `promptKey` of a word's terms */
export function wordKey({ prompt, gloss = null }: { prompt: string; gloss?: string | null | undefined }): string {
  return promptKey({ sourceKey: normalise(prompt), sourceGloss: gloss });
}

function ask(term: Term, wrong: readonly string[], random: RandomInt, newId: () => string): KeyedQuestion {
  const correctOptionId = random(DISTRACTORS + 1);
  const texts = [...wrong];
  texts.splice(correctOptionId, 0, term.targetText);
  const options = texts.map((text, optionId) => ({ optionId, text }));
  return { question: { questionId: newId(), ...toWord(term), options }, correctOptionId };
}
