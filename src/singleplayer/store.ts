// Stores quizzes in Redis: the answer key and the judgements, which expire. The unlearned answers are stored
// beside them until the worker has learned them, see unlearned-quizzes.ts.
import { AppError } from '../errors.ts';
import { referenceTo } from '../learning/word-ids.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import { liveKey, quizKey, reviewsKey, unlearnedKey } from './keys.ts';
import type { AnswerRequest } from './schema.ts';

const saveScript = loadScript(new URL('lua/save-quiz.lua', import.meta.url));
const answerScript = loadScript(new URL('lua/answer-question.lua', import.meta.url));

/** The maximum number of live quizzes of a user. A further start ends the oldest one. [contract 17] */
export const MAX_QUIZZES = 20;

/**
 * The time, in ms, for which the judgements of a finished quiz stay for a command that ioredis sends again
 * after a reconnect. No command waits as long for a connection.
 */
const REPEAT_MS = 5000;

type AnswerRefusal =
  | 'SESSION_NOT_FOUND'
  | 'SESSION_FORBIDDEN'
  | 'QUESTION_NOT_FOUND'
  | 'QUESTION_ALREADY_ANSWERED';

/** The judgement of an answer, with the quiz's score after the answer. */
interface JudgedQuizAnswer {
  nonce: string;
  correctOptionId: number;
  correct: number;
  answered: number;
  total: number;
}

interface NewQuiz {
  sessionId: string;
  userId: string;
  /** The name of the deck or list of the questions. */
  words: string;
  questions: readonly SealedQuestion[];
}

/**
 * Stores the answer key of a new quiz in one round trip, or in two if it ends an older quiz of the user.
 * @param ttlSeconds the time to live, after which the quiz ends
 */
export async function saveQuiz(
  redis: RedisClient,
  quiz: NewQuiz,
  ttlSeconds: number,
): Promise<void> {
  const { sessionId, userId } = quiz;
  const keys = [quizKey(sessionId), liveKey(sessionId, userId)];
  const args = [ttlSeconds * 1000, MAX_QUIZZES, ...fieldsOf(quiz)];
  let ending: string[] = [];
  do {
    ending = (await runScript(redis, saveScript, [...keys, ...ending], args)) as string[];
    // Concurrent starts of the user may have deleted the named quizzes, so that the script names others.
  } while (ending.length > 0);
}

/** @returns the fields that judging needs; prompts and options are not stored */
function fieldsOf({ userId, words, questions }: NewQuiz): (string | number)[] {
  const start = { userId, words, total: questions.length, answered: 0, correct: 0 };
  const keyed = questions.map(({ question, correctOptionId, nonce }) => {
    const word = referenceTo(words, question);
    return [question.questionId, JSON.stringify({ correctOptionId, nonce, word })];
  });
  return [...Object.entries(start), ...keyed].flat();
}

/**
 * Judges an answer atomically in one round trip.
 * @param request the id of the request; a command that is sent again after a reconnect has the same id
 * @throws AppError SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND, QUESTION_ALREADY_ANSWERED,
 *   whichever applies first
 */
export async function judgeAnswer(
  redis: RedisClient,
  userId: string,
  { sessionId, questionId, optionId }: AnswerRequest,
  request: string,
): Promise<JudgedQuizAnswer> {
  const [refusal, judgement] = (await runScript(
    redis,
    answerScript,
    [
      ...[quizKey(sessionId), liveKey(sessionId, userId)],
      ...[unlearnedKey(sessionId), reviewsKey(sessionId)],
    ],
    [userId, questionId, optionId, request, REPEAT_MS, sessionId],
  )) as [AnswerRefusal] | ['', string];
  if (refusal) throw new AppError(refusal);
  return JSON.parse(judgement) as JudgedQuizAnswer;
}
