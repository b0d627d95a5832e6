// Sessions in Redis: the answer key and the score, under a time to live. Alone names their keys.
import { queueKeyBeside } from '../learning/keys.ts';
import { QUEUE_JUDGED } from '../learning/queue.ts';
import { queuedWord } from '../learning/rules.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { AnswerRequest } from './schema.ts';

const ANSWER_QUESTION = loadScript(
  QUEUE_JUDGED,
  new URL('lua/answer-question.lua', import.meta.url),
);
/** For sessions that the release before has stored. */
const ANSWER_OLDER = loadScript(QUEUE_JUDGED, new URL('lua/answer-older.lua', import.meta.url));

/** Braced: all that is kept of a session shares its slot on a cluster. */
const keyOf = (sessionId: string) => `game:{${sessionId}}`;
const overKeyOf = (sessionId: string) => `game:{${sessionId}}:over`;
const replyKeyOf = (sessionId: string, token: string) => `game:{${sessionId}}:reply:${token}`;

/** Longer than any command waits for a connection. */
const REPEAT_MS = 5000;

/** What of a request's token stands in the session: with the question and the user enough to know it by. */
const NAME_LENGTH = 13;
/** The place of a question that nobody has answered, and of the name of the request that will. */
const OPEN = '-'.padEnd(1 + NAME_LENGTH);

type Refusal =
  | 'session_not_found'
  | 'session_forbidden'
  | 'question_not_found'
  | 'already_answered';

/** What an answer came to. */
export type Judgement =
  | { word: Refusal }
  | {
      word: 'judged';
      nonce: string;
      correctOptionId: number;
      correct: number;
      answered: number;
      total: number;
    };

/** A session as it is stored. */
interface Session {
  sessionId: string;
  userId: string;
  /** The name of what the questions are drawn from. */
  words: string;
  questions: readonly SealedQuestion[];
}

/**
 * Stores the answer key of a new session, in one round trip.
 * @param ttlSeconds after which it is forgotten
 */
export async function saveSession(
  redis: RedisClient,
  session: Session,
  ttlSeconds: number,
): Promise<void> {
  await redis.set(keyOf(session.sessionId), textOf(session), 'EX', ttlSeconds);
}

/**
 * One string, which costs a third of a field for each part: how many questions there are, a place for
 * each, the user, and a line for each question.
 */
function textOf({ userId, words, questions }: Session): string {
  let text = `${String(questions.length).padStart(2, '0')}${OPEN.repeat(questions.length)}${userId}`;
  for (const [index, { question, correctOptionId, nonce }] of questions.entries())
    text += `\n${question.questionId} ${index} ${correctOptionId} ${nonce} ${queuedWord(words, question)}`;
  return text;
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
  const [key, queueKey] = [keyOf(sessionId), queueKeyBeside(redis, sessionId)];
  const reply = await runScript(
    redis,
    ANSWER_QUESTION,
    [key, overKeyOf(sessionId), queueKey],
    [userId, questionId, optionId, token.slice(0, NAME_LENGTH), REPEAT_MS],
  );
  return reply === 'older'
    ? olderJudgement(
        await runScript(
          redis,
          ANSWER_OLDER,
          [key, replyKeyOf(sessionId, token), queueKey],
          [userId, questionId, optionId, REPEAT_MS],
        ),
      )
    : judgementOf(reply as string);
}

/** @param reply as answer-question.lua says */
function judgementOf(reply: string): Judgement {
  const [word, option, nonce = '', state = '', places = ''] = reply.split('\n');
  if (word !== 'judged') return { word: word as Refusal };
  const score = { correct: 0, answered: 0, total: places.length / OPEN.length };
  count(state);
  for (let at = 0; at < places.length; at += OPEN.length) count(places[at]);
  return { word, nonce, correctOptionId: Number(option), ...score };

  function count(state: string | undefined): void {
    if (state === 'r') score.correct += 1;
    if (state !== '-') score.answered += 1;
  }
}

function olderJudgement(reply: unknown): Judgement {
  const [word, correctOptionId, correct, answered, total, nonce] = reply as [
    Judgement['word'],
    ...[number, number, number, number],
    string,
  ];
  return word === 'judged' ? { word, correctOptionId, correct, answered, total, nonce } : { word };
}
