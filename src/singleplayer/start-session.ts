// Starts a quiz for one: draws the questions, and stores their answer key. [contract 3]
import { newNonce, nonceOf } from '../fairness/seal.ts';
import { inSmartOrder } from '../learning/smart-order.ts';
import type { Services } from '../services.ts';
import { drawQuestions } from '../vocabulary/draw-questions.ts';
import { requireList } from '../vocabulary/lists/store.ts';
import { wordsName } from '../vocabulary/rules.ts';
import { languagesOf } from '../vocabulary/words.ts';
import { newQuizId } from './keys.ts';
import type { GameRequest, GameSession } from './schema.ts';
import { type QuizUser, saveQuiz } from './store.ts';

/**
 * @returns the questions without the answer key, which is stored
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function startSession(
  deps: Pick<Services, 'db' | 'nowMs' | 'pools' | 'random' | 'redis'> & { sessionTtlSeconds: number },
  { id: userId, guestFrom }: QuizUser,
  { questionCount, order, answerMode, ...choice }: GameRequest,
): Promise<GameSession> {
  const words = 'listId' in choice ? await requireList(deps.db, choice, userId) : choice;
  const secret = newNonce();
  const questions = await drawQuestions(deps, words, questionCount, {
    answerMode,
    nonceFor: (questionId) => nonceOf(secret, questionId),
    ...(order === 'smart' && { arrange: inSmartOrder(deps, userId, words, questionCount, answerMode) }),
  });
  const sessionId = newQuizId(userId);
  // The time is read before the quiz is stored, so that the quiz does not expire before `expiresAt`.
  const expiresAt = new Date(Date.now() + deps.sessionTtlSeconds * 1000).toISOString();
  const { targetLanguage: language } = words;
  const quiz = { sessionId, userId, words: wordsName(words), language, secret, questions };
  await saveQuiz(deps.redis, quiz, deps.sessionTtlSeconds, guestFrom);
  return { sessionId, expiresAt, ...languagesOf(words), questions: questions.map(({ question }) => question) };
}
