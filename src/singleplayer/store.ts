// Stores quizzes in Redis: the answer key and the judgements, which expire. The pending answers are stored
// beside them until the worker has learned them, see learn-quizzes.ts.
import { BUDGETS } from '../budgets.ts';
import { AppError, type UnlimitedCode } from '../errors.ts';
import { nonceOf } from '../fairness/seal.ts';
import { countedNetworks } from '../http/client-address.ts';
import type { Verdict } from '../judging/verdict.ts';
import { isReferenceTo, referenceTo, type WordReference } from '../learning/word-ids.ts';
import { type Account, type Excess, type Holding, settle, tellHoldings } from '../platform/redis/holdings.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { Services } from '../services.ts';
import { judgeText, type TypedQuestion } from '../vocabulary/judge-text.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import { type Answer, wrongMode } from '../vocabulary/schema.ts';
import { liveKey, pendingKey, quizKey, repliesKeys, reviewsKey } from './keys.ts';
import { type AnswerRequest, type AnswerResult, KEY_KEPT_MS } from './schema.ts';

const saveScript = loadScript(new URL('lua/save-quiz.lua', import.meta.url));
const answerScript = loadScript(new URL('lua/answer-question.lua', import.meta.url));

export interface QuizUser {
  id: string;
  /** The client address at a guest's creation; absent for a user with an account. */
  guestFrom?: string;
}

interface NewQuiz {
  sessionId: string;
  userId: string;
  /** The name of the deck or list of the questions. */
  words: string;
  /** The ISO 639-1 code of the language of the answers. */
  language: string;
  /** The secret from which the nonces of the questions are derived. */
  secret: string;
  questions: readonly SealedQuestion[];
}

/**
 * Stores the answer key of a new quiz in one round trip, or in more if it ends an older quiz or is a guest's. A guest's
 * is counted before it is stored, so that none is stored uncounted.
 */
export async function saveQuiz(redis: RedisClient, quiz: NewQuiz, ttlSeconds: number, guestFrom?: string) {
  const { sessionId, userId } = quiz;
  const fields = fieldsOf(quiz);
  const bytes = guestFrom === undefined ? 0 : sizeOf(fields);
  const counted: [Account, Excess | null][] = [];
  for (const account of accountsOf(guestFrom, ttlSeconds))
    counted.push([account, await tellHoldings(redis, account, [{ holder: userId, item: sessionId, bytes }])]);
  const keys = [quizKey(sessionId), liveKey(sessionId, userId)];
  const args = [ttlSeconds * 1000, BUDGETS.liveQuizzes.max, ...fields];
  let ending: string[] = [];
  do {
    ending = (await runScript(redis, saveScript, [...keys, ...ending], args)) as string[];
    // Concurrent starts of the user may have deleted the named quizzes, so that the script names others.
  } while (ending.length > 0);
  for (const [account, excess] of counted) await settle(redis, account, excess, (much) => endOldest(redis, much));
}

/** @returns the fields that judging needs; prompts and options are not stored */
function fieldsOf({ questions, sessionId: _, ...quiz }: NewQuiz): (string | number)[] {
  const start = { ...quiz, total: questions.length, answered: 0, correct: 0 };
  const keyed = questions.map((sealed) => {
    const { question } = sealed;
    const word = referenceTo(quiz.words, question);
    if (!('accepted' in sealed)) {
      const { correctOptionId } = sealed;
      return [question.questionId, JSON.stringify({ word, correctOptionId })];
    }
    // No text has a line break. JSON would escape some characters, and so not bound the bytes by those of the texts.
    return [question.questionId, [JSON.stringify({ word }), ...sealed.accepted].join('\n')];
  });
  return [...Object.entries(start), ...keyed].flat();
}

/** Redis allocates up to a fifth more for a quiz than its texts have. */
const BYTES_PER_TEXT_BYTE = 6 / 5;
/** What a quiz takes besides its texts, in bytes: its keys, its entries in lists, and those of the account. */
const OVERHEAD_BYTES = 1024;

const sizeOf = (texts: readonly (string | number)[]) =>
  Math.ceil(Buffer.byteLength(texts.join('')) * BYTES_PER_TEXT_BYTE) + OVERHEAD_BYTES;

/**
 * @returns the accounts of the networks of a guest's address, which bound the live quizzes of all guests there, each of
 *   whom may have as many as any user. What a crash keeps from an account expires like the quiz. [contract 17]
 */
function accountsOf(guestFrom: string | undefined, ttlSeconds: number): Account[] {
  if (guestFrom === undefined) return [];
  return countedNetworks(guestFrom).map(({ key, times }) => {
    const max = times * BUDGETS.guestsQuizzes.max;
    const ttlMs = ttlSeconds * 1000;
    return { name: `quizzes:${key}`, max, maxOfHolder: max, ttlMs, relief: 0, yieldingAtOnce: 1 };
  });
}

/** Ends the oldest quiz of whoever holds most. */
async function endOldest(redis: RedisClient, { holders }: Excess): Promise<Holding[]> {
  const ended = holders.flatMap(({ holder, items: [oldest] }) =>
    oldest ? [{ holder, item: oldest.item, bytes: 0 }] : [],
  );
  await Promise.all(
    ended.flatMap(({ holder, item }) => [
      redis.del(quizKey(item)),
      redis.lrem(liveKey(item, holder), 1, quizKey(item)),
    ]),
  );
  return ended;
}

/** Counts a finished quiz of a guest no longer. Where that fails, it counts until it would have expired. */
export async function releaseQuiz(redis: RedisClient, sessionId: string, user: QuizUser, ttlSeconds: number) {
  const finished = { holder: user.id, item: sessionId, bytes: 0 };
  const accounts = accountsOf(user.guestFrom, ttlSeconds);
  await Promise.allSettled(accounts.map((account) => tellHoldings(redis, account, [finished])));
}

type QuizAnswer = Pick<AnswerRequest, 'sessionId' | 'questionId'> & Answer;

/**
 * Judges an answer atomically, a chosen one in one round trip. A typed one is compared here, with a question that the
 * script has read, so that an answer which is refused is not compared.
 * @param id identifies the request; a command that is sent again after a reconnect has the same id
 * @param key by which the client repeats the request
 * @throws AppError IDEMPOTENCY_KEY_REUSED, SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND,
 *   VALIDATION_FAILED for the answer of another mode, QUESTION_ALREADY_ANSWERED, whichever applies first
 */
export async function judgeAnswer(
  deps: Pick<Services, 'postgres' | 'redis'>,
  userId: string,
  answer: QuizAnswer,
  id: string,
  key?: string,
): Promise<AnswerResult> {
  const { sessionId, ...body } = answer;
  const keys = [quizKey(sessionId), liveKey(sessionId, userId), pendingKey(sessionId), reviewsKey(sessionId)];
  if (key) keys.push(...repliesKeys(sessionId, userId));
  const limits = { forMs: KEY_KEPT_MS, max: BUDGETS.answerKeys.max };
  const kept = key && { field: `${sessionId} ${key}`, body: JSON.stringify(body), ...limits };
  const request = { ...answer, userId, id, kept };
  const run = async (verdict?: Verdict) => {
    const args = [JSON.stringify({ ...request, verdict })];
    const reply = await runScript(deps.redis, answerScript, keys, args);
    const [refusal, ...rest] = reply as [UnlimitedCode | 'WRONG_KIND' | 'NOT_COMPARED' | '', ...string[]];
    if (refusal === 'WRONG_KIND') throw wrongMode(answer);
    if (refusal && refusal !== 'NOT_COMPARED') throw new AppError(refusal);
    return { isJudged: !refusal, reply: rest };
  };
  const first = await run();
  if (first.isJudged || !('text' in answer)) return resultOf(answer, first.reply);
  const { accepted, verdict } = await compare(deps, answer.text, first.reply);
  return resultOf(answer, (await run(verdict)).reply, accepted);
}

/** @param reply the script's: the judgement, the quiz's secret, and the accepted texts of a repeated typed answer */
function resultOf(
  answer: QuizAnswer,
  [judgement = '', secret = '', texts = '']: string[],
  accepted = texts.split('\n'),
): AnswerResult {
  const { sessionId, questionId } = answer;
  const { correctOptionId, verdict, correct, answered, total } = JSON.parse(judgement);
  const judged = { sessionId, questionId, nonce: nonceOf(secret, questionId), score: { correct, answered, total } };
  if ('text' in answer) {
    const [correctText] = accepted;
    const isCorrect = verdict !== 'wrong';
    return { ...judged, submittedText: answer.text, verdict, isCorrect, correctText, accepted };
  }
  const { optionId: selectedOptionId } = answer;
  return { ...judged, selectedOptionId, correctOptionId, isCorrect: selectedOptionId === correctOptionId };
}

/** @param reply the script's: a typed question, and the quiz's words and language */
async function compare(
  deps: Pick<Services, 'postgres'>,
  text: string,
  [stored = '', words = '', language = '']: string[],
) {
  const [fields = '', ...accepted] = stored.split('\n');
  const { word: asked } = JSON.parse(fields) as { word: WordReference };
  const isAsked: TypedQuestion['isAsked'] = (word) => isReferenceTo(asked, words, word);
  return { verdict: await judgeText(deps, { words, key: { language, accepted }, isAsked }, text), accepted };
}
