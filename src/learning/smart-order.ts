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
/** More are looked at than are asked for: a word may have left the deck, or have no three wrong options. */
const SPARE_WORDS = 2;
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
  const whose = { userId, place, now: new Date(learner.nowMs()) };
  const find = wordFinder(db, userId, words, pool, held);
  const limit = count + SPARE_WORDS;

  const first = await findByDue(db, {
    ...{ ...whose, limit, isSure: false },
    tried: spread(held.ids, TRIED * count, random),
  });
  const due = await find(first.due);
  if (due.length + first.fresh.length >= limit) return { due, fresh: first.fresh, rest: [] };

  if (!pool.isWhole) {
    const tried = spread(held.ids, held.ids.length, random);
    const all = await findByDue(db, { ...whose, limit, isSure: true, tried });
    return { ...all, due: await find(all.due), rest: await find(all.rest) };
  }
  const all = await findByDue(db, { ...whose, limit: MAX_WORDS, isSure: false, tried: [] });
  const learned = new Set([...all.due, ...all.rest]);
  const fresh = spread(held.ids, held.ids.length, random).filter((id) => !learned.has(id));
  return { due: await find(all.due), fresh, rest: await find(all.rest) };
}

/** @returns so many of the ids at most, evenly spread, from a random one on: drawing each would cost more */
function spread(ids: readonly string[], count: number, random: RandomInt): string[] {
  const start = random(ids.length);
  return Array.from({ length: Math.min(count, ids.length) }, (_, at) => {
    const step = Math.floor((at * ids.length) / Math.min(count, ids.length));
    return ids[(start + step) % ids.length] as string;
  });
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
