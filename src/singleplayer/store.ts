// Stores quizzes in Redis: the answer key and the judgements, which expire. The unlearned answers are stored
// beside them until the worker has learned them, see unlearned-quizzes.ts.
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import type { Verdict } from '../judging/verdict.ts';
import { referenceTo } from '../learning/word-ids.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { SealedQuestion, TypedSolution } from '../vocabulary/rules.ts';
import { judgeTyped } from '../vocabulary/typed/rules.ts';
import { type Answer, wrongMode } from '../vocabulary/typed/schema.ts';
import { liveKey, quizKey, reviewsKey, unlearnedKey } from './keys.ts';

const saveScript = loadScript(new URL('lua/save-quiz.lua', import.meta.url));
const answerScript = loadScript(new URL('lua/answer-question.lua', import.meta.url));

/**
 * The time, in ms, for which the judgements of a finished quiz stay for a command that ioredis sends again
 * after a reconnect. No command waits as long for a connection.
 */
const REPEAT_MS = 5000;

type AnswerRefusal =
  | 'SESSION_NOT_FOUND'
  | 'SESSION_FORBIDDEN'
  | 'QUESTION_NOT_FOUND'
  | 'WRONG_KIND'
  | 'QUESTION_ALREADY_ANSWERED';

/** The judgement of an answer, with the quiz's score after the answer. */
type JudgedQuizAnswer = QuizScore & QuizJudgement;

/** The judgement of a chosen answer, or of a typed one. */
export type QuizJudgement =
  | { correctOptionId: number }
  | { verdict: Verdict; correctText: string; accepted: string[] };

interface QuizScore {
  nonce: string;
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
  const args = [ttlSeconds * 1000, BUDGETS.liveQuizzes.max, ...fieldsOf(quiz)];
  let ending: string[] = [];
  do {
    ending = (await runScript(redis, saveScript, [...keys, ...ending], args)) as string[];
    // Concurrent starts of the user may have deleted the named quizzes, so that the script names others.
  } while (ending.length > 0);
}

/** @returns the fields that judging needs; prompts and options are not stored */
function fieldsOf({ userId, words, questions }: NewQuiz): (string | number)[] {
  const start = { userId, words, total: questions.length, answered: 0, correct: 0 };
  const keyed = questions.map(({ question, ...secret }) => {
    const word = referenceTo(words, question);
    return [question.questionId, JSON.stringify({ ...secret, word })];
  });
  return [...Object.entries(start), ...keyed].flat();
}

/**
 * Judges an answer atomically, a chosen one in one round trip. A typed one is compared here, with the key of its
 * question, which is read before and never changes.
 * @param request the id of the request; a command that is sent again after a reconnect has the same id
 * @throws AppError SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND, VALIDATION_FAILED for the answer of another
 *   mode, QUESTION_ALREADY_ANSWERED, whichever applies first
 */
export async function judgeAnswer(
  redis: RedisClient,
  userId: string,
  { sessionId, questionId, ...answer }: { sessionId: string; questionId: string } & Answer,
  request: string,
): Promise<JudgedQuizAnswer> {
  const given =
    'text' in answer
      ? ['text', await compare(redis, sessionId, questionId, answer.text)]
      : ['optionId', answer.optionId];
  const [refusal, judgement] = (await runScript(
    redis,
    answerScript,
    [
      ...[quizKey(sessionId), liveKey(sessionId, userId)],
      ...[unlearnedKey(sessionId), reviewsKey(sessionId)],
    ],
    [userId, questionId, ...given, request, REPEAT_MS, sessionId],
  )) as [AnswerRefusal] | ['', string];
  if (refusal === 'WRONG_KIND') throw wrongMode(answer);
  if (refusal) throw new AppError(refusal);
  return JSON.parse(judgement) as JudgedQuizAnswer;
}

/** @returns the verdict on a text; '' for a question that is not typed, not open or not there: the script refuses it */
async function compare(
  redis: RedisClient,
  sessionId: string,
  questionId: string,
  text: string,
): Promise<Verdict | ''> {
  const stored = await redis.hget(quizKey(sessionId), questionId);
  const { key }: Partial<TypedSolution> = stored ? JSON.parse(stored) : {};
  return key ? judgeTyped(text, key) : '';
}
