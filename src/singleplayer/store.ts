// Sessions in Redis: the answer key and the score, under a time to live. Alone names their keys.
import { queueKeyBeside } from '../learning/keys.ts';
import { QUEUE_JUDGED } from '../learning/queue.ts';
import { queuedWord } from '../learning/rules.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { AnswerRequest } from './schema.ts';

const SAVE_SESSION = loadScript(new URL('lua/save-session.lua', import.meta.url));
const ANSWER_QUESTION = loadScript(
  QUEUE_JUDGED,
  new URL('lua/answer-question.lua', import.meta.url),
);

/** Braced: all that is kept of a session shares its slot on a cluster. */
const keyOf = (sessionId: string) => `game:{${sessionId}}`;
const replyKeyOf = (sessionId: string, token: string) => `game:{${sessionId}}:reply:${token}`;

/** Longer than any command waits for a connection. */
const REPLY_TTL_MS = 5000;

/** What an answer came to. */
export type Judgement =
  | { word: 'session_not_found' | 'session_forbidden' | 'question_not_found' | 'already_answered' }
  | {
      word: 'judged';
      nonce: string;
      correctOptionId: number;
      correct: number;
      answered: number;
      total: number;
    };

/**
 * Stores the answer key of a new session, in one round trip.
 * @param ttlSeconds after which it is forgotten
 */
export async function saveSession(
  redis: RedisClient,
  session: {
    sessionId: string;
    userId: string;
    /** The name of what the questions are drawn from. */
    words: string;
    questions: readonly SealedQuestion[];
  },
  ttlSeconds: number,
): Promise<void> {
  const { sessionId, userId, words, questions } = session;
  const key = questions.flatMap(({ question, correctOptionId, nonce }) => [
    ...[question.questionId, correctOptionId],
    ...[`nonce:${question.questionId}`, nonce],
    ...[`word:${question.questionId}`, queuedWord(words, question)],
  ]);
  const counts = ['total', questions.length, 'answered', 0, 'correct', 0];
  await runScript(
    redis,
    SAVE_SESSION,
    [keyOf(sessionId)],
    [ttlSeconds, 'user', userId, ...counts, ...key],
  );
}

/**
 * Judges an answer, in one round trip and atomically.
 * @param token different for every request, the same when a broken connection makes it arrive twice
 */
export async function judgeAnswer(
  redis: RedisClient,
  userId: string,
  { sessionId, questionId, optionId }: AnswerRequest,
  token: string,
): Promise<Judgement> {
  const reply = await runScript(
    redis,
    ANSWER_QUESTION,
    [keyOf(sessionId), replyKeyOf(sessionId, token), queueKeyBeside(redis, sessionId)],
    [userId, questionId, optionId, REPLY_TTL_MS],
  );
  const [word, correctOptionId, correct, answered, total, nonce] = reply as [
    Judgement['word'],
    ...[number, number, number, number],
    string,
  ];
  return word === 'judged' ? { word, correctOptionId, correct, answered, total, nonce } : { word };
}
