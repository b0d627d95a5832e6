// Starts a game for one: draws the questions, keeps the answer key, shows the rest. [contract 3]
import { inSmartOrder, type SmartOrderDeps } from '../learning/smart-order.ts';
import type { RedisClient } from '../platform/redis.ts';
import { newGatheredId } from '../platform/slots.ts';
import { type DrawDeps, drawQuestions } from '../vocabulary/draw-questions.ts';
import { requireList } from '../vocabulary/lists/find-list.ts';
import { wordsName } from '../vocabulary/rules.ts';
import type { GameRequest, GameSession } from './schema.ts';
import { saveSession } from './store.ts';

/** What starting a session needs. */
export interface StartSessionDeps extends SmartOrderDeps {
  pools: DrawDeps['pools'];
  redis: RedisClient;
  sessionTtlSeconds: number;
}

/**
 * @param userId whose session it is
 * @returns what the client sees; the answer key is stored by then
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function startSession(
  deps: StartSessionDeps,
  userId: string,
  { questionCount, order, ...choice }: GameRequest,
): Promise<GameSession> {
  const words = 'listId' in choice ? await requireList(deps.db, choice.listId, userId) : choice;
  const arrange = order === 'smart' ? inSmartOrder(deps, userId, words, questionCount) : undefined;
  const questions = await drawQuestions(deps, words, questionCount, arrange);
  const sessionId = newGatheredId();
  // Taken before it is stored: the session lives at least as long as is said.
  const expiresAt = new Date(Date.now() + deps.sessionTtlSeconds * 1000).toISOString();
  await saveSession(
    deps.redis,
    { sessionId, userId, words: wordsName(words), questions },
    deps.sessionTtlSeconds,
  );
  return { sessionId, expiresAt, questions: questions.map(({ question }) => question) };
}
