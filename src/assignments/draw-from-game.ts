// Draws the questions of an assignment from the words of a finished game, so that a class repeats what was hard for it.
// Options and accepted texts are those that the deck or list has now. [contract 21]
import { AppError } from '../errors.ts';
import { findHostedGame } from '../match/finished-games.ts';
import type { Services } from '../services.ts';
import { drawQuestions } from '../vocabulary/draw-questions.ts';
import { type PlayableList, requireList } from '../vocabulary/lists/store.ts';
import { inRandomOrder } from '../vocabulary/random-order.ts';
import {
  canBeAsked,
  isAsked,
  normalise,
  type Pool,
  type SealedQuestion,
  type WordText,
  wordKey,
} from '../vocabulary/rules.ts';
import type { AnswerMode, Deck } from '../vocabulary/schema.ts';
import { acceptedTranslations, findTranslations } from '../vocabulary/store.ts';
import { storedWordsOf } from '../vocabulary/words.ts';

/**
 * @param asked.questionCount the most questions; the words with the smallest share of right answers come first
 * @throws AppError GAME_NOT_FOUND, LIST_NOT_FOUND, NO_MATCHING_TERMS where the deck or list has none of the words any
 *   more, NOT_ENOUGH_DISTRACTORS
 */
export async function drawFromGame(
  deps: Pick<Services, 'db' | 'pools' | 'random'>,
  ownerId: string,
  gameId: string,
  { questionCount, answerMode }: { questionCount: number; answerMode: AnswerMode },
): Promise<{ words: Deck | PlayableList; drawn: SealedQuestion[] }> {
  const game = await findHostedGame(deps.db, gameId, ownerId);
  if (!game) throw new AppError('GAME_NOT_FOUND');
  const chosen = storedWordsOf(game.settings);
  const words = 'listId' in chosen ? await requireList(deps.db, chosen, ownerId) : chosen;
  const pool = await deps.pools.pool(words);
  const { byPrompt, accepted } = await findTerms(deps.db, words, pool, game.words);
  const left = game.words
    .map((word) => (byPrompt.get(wordKey(word)) ?? []).filter(isAsked))
    .filter(({ length }) => length > 0);
  if (left.length === 0) throw new AppError('NO_MATCHING_TERMS');
  const askable = left.filter(([term]) => answerMode === 'typed' || (term && canBeAsked({ ...pool, accepted }, term)));
  const terms = askable.flatMap((ofWord) => [...inRandomOrder(ofWord, deps.random)]);
  // Without a word that has wrong options, drawing one question is refused.
  const count = Math.min(questionCount, Math.max(1, askable.length));
  const drawn = await drawQuestions(deps, words, count, { answerMode, arrange: async () => ({ terms, accepted }) });
  return { words, drawn };
}

type FoundTerms = Pick<Pool, 'byPrompt' | 'accepted'>;

/** @returns the terms of the words by `promptKey`; those of a large deck are not all in the pool */
async function findTerms(
  db: Services['db'],
  words: Deck | PlayableList,
  pool: Pool,
  asked: readonly WordText[],
): Promise<FoundTerms> {
  if (pool.isWhole || pool.deckId === undefined || 'listId' in words) return pool;
  const keys = asked.map(({ prompt }) => normalise(prompt));
  const byPrompt = Map.groupBy(await findTranslations(db, pool.deckId, keys), pool.promptOf);
  const ofPrompt = Map.groupBy(await acceptedTranslations(db, words, keys), ({ sourceKey }) => sourceKey);
  const accepted = new Map([...ofPrompt].map(([key, all]) => [key, new Set(all.map(({ targetKey }) => targetKey))]));
  return { byPrompt, accepted };
}
