// `POST /api/v1/assignments` draws the questions of an assignment, once for everybody: from a deck, a list, or the words of
// a finished game, so that a class repeats what was hard for it. [contract 21]
import { AppError } from '../errors.ts';
import { withNewCode } from '../lobby/create-lobby.ts';
import { findHostedGame } from '../match/finished-games.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { drawQuestions } from '../vocabulary/draw-questions.ts';
import { type PlayableList, requireList } from '../vocabulary/lists/store.ts';
import { inRandomOrder } from '../vocabulary/random-order.ts';
import * as rules from '../vocabulary/rules.ts';
import type { AnswerMode, Deck } from '../vocabulary/schema.ts';
import { acceptedTranslations, findTranslations } from '../vocabulary/store.ts';
import { type DeckOrList, storedWordsOf } from '../vocabulary/words.ts';
import { CODE_LENGTH, type StoredQuestion } from './rules.ts';
import type { Assignment, CreateAssignmentRequest } from './schema.ts';
import { type AssignmentWords, findByCode, insertAssignment } from './store.ts';

/**
 * @throws AppError ACCOUNT_NEEDED, GAME_NOT_FOUND, LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS,
 *   TOO_MANY_ASSIGNMENTS, VALIDATION_FAILED for the times
 */
export async function createAssignment(
  deps: DrawServices,
  ownerId: string,
  { title, attempts, opensAt, closesAt, questionCount, answerMode, ...choice }: CreateAssignmentRequest,
): Promise<Assignment> {
  const owner = await deps.db.user.findUnique({ where: { id: ownerId }, select: { isAnonymous: true } });
  if (!owner) throw new AppError('UNAUTHENTICATED');
  if (owner.isAnonymous) throw new AppError('ACCOUNT_NEEDED');
  const game = 'gameId' in choice ? await findHostedGame(deps.db, choice.gameId, ownerId) : null;
  if ('gameId' in choice && !game) throw new AppError('GAME_NOT_FOUND');
  const chosen = game ? storedWordsOf(game.settings) : (choice as DeckOrList);
  const words = 'listId' in chosen ? await requireList(deps.db, chosen, ownerId) : chosen;
  const drawn = game
    ? await drawAgain(deps, words, game.words, { questionCount, answerMode })
    : await drawQuestions(deps, words, questionCount, { answerMode });
  const settings = { title, attempts, opensAt, closesAt, answerMode };
  const content = { words: shownWords(words), questions: drawn.map(toStored) };
  const insert = (code: string) => insertAssignment(deps.db, { code, ownerId, ...settings, ...content });
  const code = await withNewCode(CODE_LENGTH, insert);
  const found = await findByCode(deps.db, code, ownerId);
  // The owner may have been deleted meanwhile, and the assignment too.
  if (!found) throw new AppError('UNAUTHENTICATED');
  return found.view;
}

type DrawServices = Pick<Services, 'db' | 'pools' | 'random'>;

function shownWords(words: Deck | PlayableList): AssignmentWords {
  if (!('listId' in words)) return words;
  const { listId, reverse, name: listName, sourceLanguage, targetLanguage } = words;
  return { listId, listName, sourceLanguage, targetLanguage, ...(reverse && { reverse }) };
}

/** @returns the question without its order of options and its commitment, which each attempt gets anew */
function toStored({ question, ...solution }: rules.SealedQuestion): StoredQuestion {
  const { questionId, prompt, gloss, options = [] } = question;
  const asked = { questionId, prompt, ...(gloss !== undefined && { gloss }) };
  if ('accepted' in solution) return { ...asked, answerMode: 'typed', texts: solution.accepted };
  const texts = options.map(({ text }) => text);
  return { ...asked, texts: [...texts.splice(solution.correctOptionId, 1), ...texts] };
}

/**
 * Draws the words of a game with the options and accepted texts that their deck or list has now.
 * @param played the first ones are drawn first
 * @param questionCount the most questions
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS where the deck or list has none of the words any more,
 *   NOT_ENOUGH_DISTRACTORS
 */
async function drawAgain(
  deps: DrawServices,
  words: Deck | PlayableList,
  played: readonly rules.WordText[],
  { questionCount, answerMode }: { questionCount: number; answerMode: AnswerMode },
): Promise<rules.SealedQuestion[]> {
  const pool = await deps.pools.pool(words);
  const { byPrompt, accepted } = await findTerms(deps.db, words, pool, played);
  const left = played
    .map((word) => (byPrompt.get(rules.wordKey(word)) ?? []).filter(rules.isAsked))
    .filter(({ length }) => length > 0);
  if (left.length === 0) throw new AppError('NO_MATCHING_TERMS');
  const askable = left.filter(
    ([term]) => answerMode === 'typed' || (term && rules.canBeAsked({ ...pool, accepted }, term)),
  );
  const terms = askable.flatMap((ofWord) => [...inRandomOrder(ofWord, deps.random)]);
  // Without a word that has wrong options, drawing one question is refused.
  const count = Math.min(questionCount, Math.max(1, askable.length));
  return drawQuestions(deps, words, count, { answerMode, arrange: async () => ({ terms, accepted }) });
}

/** @returns the terms of the words by `promptKey`; those of a large deck are not all in the pool */
async function findTerms(db: Database, words: Deck | PlayableList, pool: rules.Pool, asked: readonly rules.WordText[]) {
  if (pool.isWhole || pool.deckId === undefined || 'listId' in words) return pool;
  const keys = asked.map(({ prompt }) => rules.normalise(prompt));
  const byPrompt = Map.groupBy(await findTranslations(db, pool.deckId, keys), pool.promptOf);
  const ofPrompt = Map.groupBy(await acceptedTranslations(db, words, keys), ({ sourceKey }) => sourceKey);
  const accepted = new Map([...ofPrompt].map(([key, all]) => [key, new Set(all.map(({ targetKey }) => targetKey))]));
  return { byPrompt, accepted };
}
