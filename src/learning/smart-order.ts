// `order: "smart"`: words that are due, the most overdue first, then words never answered, then the rest
// by the time at which they become due. What it costs depends on how many questions are asked for, not on
// how many words somebody remembers. [contract 13]
import type { Database } from '../platform/postgres.ts';
import type { Arrange } from '../vocabulary/draw-questions.ts';
import type { ListHead } from '../vocabulary/lists/store.ts';
import { inRandomOrder, type RandomInt } from '../vocabulary/random-order.ts';
import { type Pool, type Term, wordsName } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { SAMPLE_SIZE } from '../vocabulary/store.ts';
import { findByDue } from './due-words.ts';
import { acceptedOf, type Word, wordFinder } from './find-words.ts';
import { type PoolWords, wordsOfPool } from './word-ids.ts';

/** What the order needs. */
export interface SmartOrderDeps {
  db: Database;
  random: RandomInt;
  /** The Redis server's time, ms. */
  nowMs(): number;
}

/** More than a deck that is held whole can have; of those that have left it a few may come before. */
const MAX_WORDS = 2 * SAMPLE_SIZE;
/** So many times as many are looked at to find some that were never answered. */
const TRIED = 6;

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
    const held = wordsOfPool(wordsName(words), pool);
    const arranged = await arrange({ ...deps, userId, words, pool, held }, count);
    return {
      terms: inOrder(arranged, pool, held, deps.random),
      accepted: acceptedOf([...arranged.due, ...arranged.rest]),
    };
  };
}

/** Whose words, and of what. */
interface Learner extends SmartOrderDeps {
  userId: string;
  words: Deck | ListHead;
  pool: Pool;
  held: PoolWords;
}

/** Words in their order. */
interface Arranged {
  due: Word[];
  /** Those never answered, as word-ids.ts names them. */
  fresh: readonly string[];
  rest: Word[];
}

/** Most starts need a few words that are due, or of a handful those never answered; others read more. */
async function arrange(learner: Learner, count: number): Promise<Arranged> {
  const { db, userId, words, pool, held, random } = learner;
  const place = 'listId' in words ? words.listId : pool.deckId;
  if (place === undefined || held.ids.length === 0) return { due: [], fresh: [], rest: [] };
  const whose = { userId, place, nowMs: learner.nowMs() };
  const find = wordFinder(db, userId, words, pool, held);
  const start = random(held.ids.length);
  const tried = (most: number) => ({ held, start, count: Math.min(most, held.ids.length) });

  const some = { ...whose, count, tried: tried(TRIED * count) };
  const first = await findByDue(db, { ...some, isSure: false });
  const due = await find(first.due);
  if (due.length + first.fresh.length >= count) return { due, fresh: first.fresh, rest: [] };

  if (!pool.isWhole) {
    const all = await findByDue(db, { ...some, tried: tried(held.ids.length), isSure: true });
    return { ...all, due: await find(all.due), rest: await find(all.rest) };
  }
  const all = await findByDue(db, { ...whose, count: MAX_WORDS, tried: tried(0), isSure: false });
  const learned = new Set([...all.due, ...all.rest]);
  const fresh = held.ids.filter((id) => !learned.has(id));
  return { due: await find(all.due), fresh, rest: await find(all.rest) };
}

function* inOrder(
  { due, fresh, rest }: Arranged,
  pool: Pool,
  held: PoolWords,
  random: RandomInt,
): Generator<Term> {
  for (const { terms } of due) yield* inRandomOrder(terms, random);
  for (const word of inRandomOrder(fresh, random))
    yield* inRandomOrder(held.terms.get(word) ?? [], random);
  for (const { terms } of rest) yield* inRandomOrder(terms, random);
  // As many as asked for, whatever was not looked at.
  yield* inRandomOrder(pool.terms, random);
}
