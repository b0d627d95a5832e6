// Arranges terms for `order: "smart"`: words that are due, the most overdue first, then words never answered, then the
// rest by the time at which they become due. The cost depends on the number of questions, and not on the number of words
// that the user has learned. [contract 13]
import { LRUCache } from 'lru-cache';
import type { Services } from '../services.ts';
import type { Arrange } from '../vocabulary/draw-questions.ts';
import type { PlayableList } from '../vocabulary/lists/store.ts';
import { inRandomOrder, type RandomInt } from '../vocabulary/random-order.ts';
import { type Pool, type Term, wordsName } from '../vocabulary/rules.ts';
import type { AnswerMode, AskedDeck } from '../vocabulary/schema.ts';
import { SAMPLE_SIZE } from '../vocabulary/store.ts';
import { type PoolWords, wordsOfPool } from './word-ids.ts';
import * as store from './words-store.ts';

/** The number of learned words that are read for a whole deck. Some of them may have left the deck. */
const MAX_WORDS = 2 * SAMPLE_SIZE;
/** The number of words that are read in addition, since some may have left the deck. */
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
    return { terms: termsOf(arranged, pool, deps.random), accepted: acceptedOf(arranged) };
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
  const deckOrListId = idOf(words, pool);
  if (!deckOrListId || poolWords.ids.length === 0) return [];
  const find = wordFinder(options);
  const nowMs = options.nowMs();
  const topic = 'listId' in words ? undefined : words.topic;
  /** @returns the ids of learned words: of those that are due, and of the rest */
  const findLearned = async (limit: number, isInDeck: boolean) => {
    const learned =
      isInDeck && 'deckId' in deckOrListId
        ? await store.findLearnedInDeck(db, userId, { ...deckOrListId, topic }, limit)
        : await store.findLearned(db, userId, deckOrListId, limit);
    const later = learned.findIndex(({ due }) => due.getTime() > nowMs);
    const ids = learned.map(({ word }) => word);
    return later < 0 ? { due: ids, rest: [] } : { due: ids.slice(0, later), rest: ids.slice(later) };
  };
  const ofPool = (ids: readonly string[]) =>
    [...inRandomOrder(ids, random)].map((id) => ({ terms: poolWords.terms.get(id) ?? [] }));

  const first = await findLearned(count + SPARE_WORDS, topic !== undefined);
  const due = await find(first.due);
  if (due.length >= count) return due;
  const missing = count - due.length;
  const start = random(poolWords.ids.length);
  const some = [...poolWords.ids.slice(start), ...poolWords.ids.slice(0, start)].slice(0, TRIED_A_WORD * missing);
  const unanswered = await store.findNeverAnswered(db, userId, some, missing);
  if (unanswered.length === missing) return [...due, ...ofPool(unanswered)];

  const limit = pool.isWhole ? MAX_WORDS : count;
  const all = await findLearned(limit, topic !== undefined || !pool.isWhole);
  const allUnanswered = await store.findNeverAnswered(db, userId, poolWords.ids, limit);
  return [...(await find(all.due)), ...ofPool(allUnanswered), ...(await find(all.rest))];
}

function idOf(words: AskedDeck | PlayableList, pool: Pool): store.DeckOrListId | undefined {
  if ('listId' in words) return { listId: words.listId, reverse: words.reverse ?? false };
  return pool.deckId === undefined ? undefined : { deckId: pool.deckId };
}

function* termsOf(arranged: readonly AskableWord[], pool: Pool, random: RandomInt): Generator<Term> {
  for (const { terms } of arranged) yield* inRandomOrder(terms, random);
  // The other terms of the pool follow, suspended ones too, in case the words above give too few questions.
  yield* inRandomOrder(pool.terms, random);
}

interface AskableWord {
  terms: readonly Term[];
  /** The accepted translations of its prompt, for a word outside the pool. */
  accepted?: ReadonlySet<string>;
}

/** The number of words that are cached for a pool. Beyond it the least recently used one is evicted. */
const MAX_CACHED = 500;
/** The time, in ms, for which such a word is cached. A pool is refreshed after the same time. */
const CACHED_MS = 60_000;
const outsideWords = new WeakMap<Pool, LRUCache<string, AskableWord>>();

/** @returns a function that returns the words with these ids in the same order, without those that can't be asked */
function wordFinder({ db, userId, words, pool, poolWords }: ArrangeOptions) {
  const wordOfPool = (id: string): AskableWord | undefined => {
    const terms = poolWords.terms.get(id);
    return terms && poolWords.askable.has(id) ? { terms } : undefined;
  };
  if ('listId' in words || pool.isWhole)
    return async (ids: readonly string[]) => ids.flatMap((id) => wordOfPool(id) ?? []);

  const outside = outsideWords.get(pool) ?? new LRUCache({ max: MAX_CACHED, ttl: CACHED_MS });
  outsideWords.set(pool, outside);
  return async (ids: readonly string[]) => {
    const found = new Map(ids.map((id) => [id, wordOfPool(id) ?? outside.get(id)]));
    const missing = ids.filter((id) => !found.get(id));
    const read = missing.length > 0 ? await store.findTermsOfWords(db, userId, words, missing) : [];
    for (const { word, terms, accepted } of read) {
      found.set(word, { terms, accepted: new Set(accepted) });
      outside.set(word, found.get(word));
    }
    return ids.flatMap((id) => found.get(id) ?? []).filter(({ terms }) => terms.length > 0);
  };
}

/** @returns by prompt the accepted translations of the words outside the pool */
function acceptedOf(words: readonly AskableWord[]) {
  return new Map(
    words.flatMap(({ terms: [term], accepted }) => (term && accepted ? [[term.sourceKey, accepted] as const] : [])),
  );
}
