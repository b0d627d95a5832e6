// Arranges terms for `order: "smart"`: words that are due, the most overdue first, then words never answered, then the
// rest by due time. The cost depends on the number of questions, not on that of learned words. [contract 13]
import { LRUCache } from 'lru-cache';
import type { Services } from '../services.ts';
import type { Arrange } from '../vocabulary/draw-questions.ts';
import type { PlayableList } from '../vocabulary/lists/store.ts';
import { inRandomOrder, type RandomInt } from '../vocabulary/random-order.ts';
import { isAsked, type Pool, type Term, wordsName } from '../vocabulary/rules.ts';
import type { AnswerMode, AskedDeck } from '../vocabulary/schema.ts';
import { findOfPrompts, SAMPLE_SIZE } from '../vocabulary/store.ts';
import { type PoolWords, wordId, wordsOfPool } from './word-ids.ts';
import * as store from './words-store.ts';

/** The numbers of learned words that are read of a whole deck, and in addition, since some may have left the deck. */
const MAX_WORDS = 2 * SAMPLE_SIZE;
const SPARE_WORDS = 2;
/** The number of words of the pool that are looked up for each missing one, to find words never answered. */
const TRIED_A_WORD = 6;

export function inSmartOrder(
  deps: Pick<Services, 'db' | 'nowMs' | 'random'>,
  userId: string,
  words: AskedDeck | PlayableList,
  count: number,
  answerMode: AnswerMode,
): Arrange {
  return async (pool) => {
    const poolWords = wordsOfPool(wordsName(words), pool, answerMode);
    const arranged = await arrange({ ...deps, userId, words, pool, poolWords }, count);
    const outside = arranged.flatMap(({ terms: [term], accepted }) =>
      term && accepted ? [[term.sourceKey, accepted] as const] : [],
    );
    return { terms: termsOf(arranged, pool, deps.random), accepted: new Map(outside) };
  };
}

interface ArrangeOptions extends Pick<Services, 'db' | 'nowMs' | 'random'> {
  userId: string;
  words: AskedDeck | PlayableList;
  pool: Pool;
  poolWords: PoolWords;
}

/** Most starts need only a few words that are due or were never answered, and read these alone. */
async function arrange(options: ArrangeOptions, count: number): Promise<AskableWord[]> {
  const { db, userId, words, pool, poolWords, random } = options;
  if (poolWords.ids.length === 0) return [];
  const find = wordFinder(options);
  const nowMs = options.nowMs();
  const findLearned = async (limit: number, isInDeck: boolean) => {
    const learned = await store.findLearned(db, userId, { ...words, deckId: pool.deckId }, limit, isInDeck);
    return Object.groupBy(learned, ({ due }) => (due.getTime() > nowMs ? 'rest' : 'due'));
  };
  const ofPool = (ids: readonly string[]) =>
    [...inRandomOrder(ids, random)].map((id) => ({ terms: poolWords.terms.get(id) ?? [] }));

  const first = await findLearned(count + SPARE_WORDS, 'topic' in words);
  const due = await find(first.due);
  if (due.length >= count) return due;
  const missing = count - due.length;
  const start = random(poolWords.ids.length);
  const some = [...poolWords.ids.slice(start), ...poolWords.ids.slice(0, start)].slice(0, TRIED_A_WORD * missing);
  const unanswered = await store.findNeverAnswered(db, userId, some, missing);
  if (unanswered.length === missing) return [...due, ...ofPool(unanswered)];

  const limit = pool.isWhole ? MAX_WORDS : count;
  const all = await findLearned(limit, !pool.isWhole);
  const allUnanswered = await store.findNeverAnswered(db, userId, poolWords.ids, limit);
  return [...(await find(all.due)), ...ofPool(allUnanswered), ...(await find(all.rest))];
}

function* termsOf(arranged: readonly AskableWord[], pool: Pool, random: RandomInt): Generator<Term> {
  for (const { terms } of arranged) yield* inRandomOrder(terms, random);
  // The other terms of the pool follow, suspended ones too, in case the words above give too few questions.
  yield* inRandomOrder(pool.terms, random);
}

interface AskableWord {
  terms: readonly Term[];
  /** The accepted translations of its prompt, for a word outside the pool. */
  accepted?: ReadonlySet<string> | undefined;
}

/** Words outside a pool are cached as long as it is not refreshed. The least recently used one is evicted. */
const CACHE = { max: 500, ttl: 60_000 };
const outsideWords = new WeakMap<Pool, LRUCache<string, AskableWord>>();

/** @returns a function that returns these learned words in the same order, without those that can't be asked */
function wordFinder({ db, words, pool, poolWords }: ArrangeOptions) {
  const { deckId } = pool;
  const outside = outsideWords.get(pool) ?? new LRUCache(CACHE);
  outsideWords.set(pool, outside);
  const find = ({ word }: store.Learned): AskableWord | undefined =>
    poolWords.askable.has(word) ? { terms: poolWords.terms.get(word) ?? [] } : outside.get(word);

  return async (learned: readonly store.Learned[] = []) => {
    const missing = learned.filter((word) => !find(word)).map(({ sourceKey }) => sourceKey);
    if (!('listId' in words) && !pool.isWhole && deckId !== undefined && missing.length > 0) {
      const { byPrompt, accepted } = await findOfPrompts(db, words, deckId, missing);
      for (const [key, terms] of byPrompt)
        outside.set(wordId(wordsName(words), key), {
          terms: terms.filter(isAsked),
          accepted: accepted.get(terms[0]?.sourceKey ?? ''),
        });
    }
    return learned.flatMap((word) => find(word) ?? []).filter(({ terms }) => terms.length > 0);
  };
}
