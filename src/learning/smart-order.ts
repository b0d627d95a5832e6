// `order: "smart"`: words that are due, the most overdue first, then words never answered, then the rest
// by the time at which they become due. One query a start, however many words somebody remembers.
// [contract 13]
import type { Database } from '../platform/postgres.ts';
import type { Arrange } from '../vocabulary/draw-questions.ts';
import type { ListHead } from '../vocabulary/lists/store.ts';
import { inRandomOrder, type RandomInt } from '../vocabulary/random-order.ts';
import { type Pool, type Term, wordsName } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { findKnown, findWordsByDue, findWordsOfLargeDeck } from './due-words.ts';
import { wordsOfPool } from './word-ids.ts';

/** What the order needs. */
export interface SmartOrderDeps {
  db: Database;
  random: RandomInt;
  /** The Redis server's time, ms. */
  nowMs(): number;
}

/** Of a large deck so many times as many words are looked at as questions are asked for. */
const SPARE = { learned: 2, tried: 4 };

/**
 * @param count how many questions are asked for
 * @returns how to arrange the terms of a pool of `words` for this user
 */
export function inSmartOrder(
  deps: SmartOrderDeps,
  userId: string,
  words: Deck | ListHead,
  count: number,
): Arrange {
  return async (pool) => {
    if (!('listId' in words) && !pool.isWhole)
      return arrangeSample(deps, userId, words, pool, count);
    const now = new Date(deps.nowMs());
    const { ids, due } = await findWordsByDue(deps.db, userId, words, now);
    return { terms: arrangeAll(deps.random, wordsName(words), pool, ids, due) };
  };
}

/** @param ids the words that are learned, by their time; the first `due` of them are due */
function* arrangeAll(
  random: RandomInt,
  name: string,
  pool: Pool,
  ids: readonly string[],
  due: number,
): Generator<Term> {
  const { terms, idOf } = wordsOfPool(name, pool);
  const learned = new Set(ids);
  // What is learned may have left the deck or list.
  const termsOf = (id: string) => terms.get(id) ?? [];
  for (const id of ids.slice(0, due)) yield* inRandomOrder(termsOf(id), random);
  for (const term of inRandomOrder(pool.terms, random))
    if (!learned.has(idOf.get(term) as string)) yield term;
  for (const id of ids.slice(due)) yield* inRandomOrder(termsOf(id), random);
}

/**
 * Words that are learned are read with their terms, since the pool may not hold them; those never
 * answered are those of the pool.
 */
async function arrangeSample(
  deps: SmartOrderDeps,
  userId: string,
  deck: Deck,
  pool: Pool,
  count: number,
): Promise<Awaited<ReturnType<Arrange>>> {
  const { db, random } = deps;
  const { terms } = wordsOfPool(wordsName(deck), pool);
  const shuffled = inRandomOrder([...terms.keys()], random);
  const tried = take(shuffled, SPARE.tried * count);
  const now = new Date(deps.nowMs());
  const { learned, known } = await findWordsOfLargeDeck(
    ...[db, userId, deck, { now, limit: SPARE.learned * count, tried }],
  );
  const due = learned.filter(({ isDue }) => isDue);
  const isEnough = due.length + tried.length - known.length >= 2 * count;
  const looked = isEnough ? tried : [...tried, ...shuffled];
  const seen = new Set(isEnough ? known : await findKnown(db, userId, looked));
  const fresh = looked.filter((id) => !seen.has(id));
  const rest = learned.filter(({ isDue }) => !isDue);
  function* arranged(): Generator<Term> {
    for (const word of due) yield* inRandomOrder(word.terms, random);
    for (const id of fresh) yield* inRandomOrder(terms.get(id) ?? [], random);
    for (const word of rest) yield* inRandomOrder(word.terms, random);
    yield* inRandomOrder(pool.terms, random);
  }
  const accepted = new Map(learned.map((word) => [word.sourceKey, new Set(word.accepted)]));
  return { terms: arranged(), accepted };
}

/** @returns the next items, `count` at most; the others can be read after */
function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
