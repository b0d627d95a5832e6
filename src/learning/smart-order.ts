// Arranges terms for `order: "smart"`: words that are due, the most overdue first, then words never answered,
// then the rest by the time at which they become due. The cost depends on the number of questions, and not on
// the number of words that the user has learned. [contract 13]
import type { Database } from '../platform/postgres/postgres.ts';
import type { Arrange } from '../vocabulary/draw-questions.ts';
import type { PlayableList } from '../vocabulary/lists/store.ts';
import { inRandomOrder, type RandomInt } from '../vocabulary/random-order.ts';
import { type Pool, type Term, wordsName } from '../vocabulary/rules.ts';
import type { AnswerMode, Deck } from '../vocabulary/schema.ts';
import { SAMPLE_SIZE } from '../vocabulary/store.ts';
import { type DeckOrListId, type DueWord, findLearned, findLearnedInDeck, findNeverAnswered } from './due-words.ts';
import { type AskableWord, acceptedOf, wordFinder } from './find-words.ts';
import { type PoolWords, wordsOfPool } from './word-ids.ts';

/** The dependencies of the order. */
export interface SmartOrderDeps {
  db: Database;
  random: RandomInt;
  /** The Redis server's time, ms. */
  nowMs(): number;
}

/** The number of learned words that are read for a whole deck. Some of them may have left the deck. */
const MAX_WORDS = 2 * SAMPLE_SIZE;
/** The number of words that are read in addition, since some may have left the deck. */
const SPARE_WORDS = 2;
/** The number of words of the pool that are looked up for each missing one, to find words never answered. */
const TRIED_A_WORD = 6;

/**
 * @param count the number of questions
 * @returns a function that arranges the terms of a pool for this user
 */
export function inSmartOrder(
  deps: SmartOrderDeps,
  userId: string,
  words: Deck | PlayableList,
  count: number,
  answerMode: AnswerMode,
): Arrange {
  return async (pool) => {
    const poolWords = wordsOfPool(wordsName(words), pool, answerMode);
    const arranged = await arrange({ ...deps, userId, words, pool, poolWords }, count);
    return {
      terms: inOrder(arranged, pool, poolWords, deps.random),
      accepted: acceptedOf([...arranged.due, ...arranged.rest]),
    };
  };
}

interface ArrangeOptions extends SmartOrderDeps {
  userId: string;
  words: Deck | PlayableList;
  pool: Pool;
  poolWords: PoolWords;
}

interface ArrangedWords {
  due: AskableWord[];
  /** The ids of words never answered. */
  unanswered: readonly string[];
  rest: AskableWord[];
}

/** Most starts need only a few words that are due or were never answered, and read these alone. */
async function arrange(options: ArrangeOptions, count: number): Promise<ArrangedWords> {
  const { db, userId, words, pool, poolWords, random } = options;
  const deckOrListId = idOf(words, pool);
  if (!deckOrListId || poolWords.ids.length === 0) return { due: [], unanswered: [], rest: [] };
  const find = wordFinder(db, userId, words, pool, poolWords);
  const byDue = dividedBy(options.nowMs());

  const first = byDue(await findLearned(db, userId, deckOrListId, count + SPARE_WORDS));
  const due = await find(first.due);
  if (due.length >= count) return { due, unanswered: [], rest: [] };
  const missing = count - due.length;
  const some = someFrom(poolWords.ids, random(poolWords.ids.length), TRIED_A_WORD * missing);
  const unanswered = await findNeverAnswered(db, userId, some, missing);
  if (unanswered.length === missing) return { due, unanswered, rest: [] };

  if (!pool.isWhole && 'deckId' in deckOrListId) {
    const inDeck = byDue(await findLearnedInDeck(db, userId, deckOrListId.deckId, count));
    const ofPool = await findNeverAnswered(db, userId, poolWords.ids, count);
    return { due: await find(inDeck.due), unanswered: ofPool, rest: await find(inDeck.rest) };
  }
  const all = byDue(await findLearned(db, userId, deckOrListId, MAX_WORDS));
  const ofPool = await findNeverAnswered(db, userId, poolWords.ids, MAX_WORDS);
  return { due: await find(all.due), unanswered: ofPool, rest: await find(all.rest) };
}

function idOf(words: Deck | PlayableList, pool: Pool): DeckOrListId | undefined {
  if ('listId' in words) return { listId: words.listId };
  return pool.deckId === undefined ? undefined : { deckId: pool.deckId };
}

/** @returns a function that divides words into those that are due at `nowMs` and the rest */
function dividedBy(nowMs: number) {
  return (words: DueWord[]) => {
    const idsOf = (some: DueWord[]) => some.map(({ word }) => word);
    const isDue = ({ due }: DueWord) => due.getTime() <= nowMs;
    return { due: idsOf(words.filter(isDue)), rest: idsOf(words.filter((word) => !isDue(word))) };
  };
}

/** @returns `count` items from `start` on; the first item follows the last one */
function someFrom<T>(all: readonly T[], start: number, count: number): T[] {
  return [...all.slice(start), ...all.slice(0, start)].slice(0, count);
}

function* inOrder(
  { due, unanswered, rest }: ArrangedWords,
  pool: Pool,
  poolWords: PoolWords,
  random: RandomInt,
): Generator<Term> {
  for (const { terms } of due) yield* inRandomOrder(terms, random);
  for (const word of inRandomOrder(unanswered, random)) yield* inRandomOrder(poolWords.terms.get(word) ?? [], random);
  for (const { terms } of rest) yield* inRandomOrder(terms, random);
  // The other terms of the pool follow, suspended ones too, in case the words above give too few questions.
  yield* inRandomOrder(pool.terms, random);
}
