// Judges an answer in an attempt, which reaches POST /api/v1/game/answer. [contract 21]
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { AnswerRequest, AnswerResult } from '../singleplayer/schema.ts';
import { isAskedBy, judgeText } from '../vocabulary/judge-text.ts';
import { wordsName } from '../vocabulary/rules.ts';
import { type Answer, answerOf, wrongMode } from '../vocabulary/schema.ts';
import { type AttemptState, type DealtAttempt, findState, storeAnswer } from './attempt-store.ts';
import { dealQuestion, toJudgement, toResults } from './deal-questions.ts';
import { type Judged, judgedText, judgeOption, type StoredAnswer, type StoredQuestion } from './rules.ts';

/** How often an answer is tried: again if the assignment was closed and reopened between two statements. */
const TRIES = 3;

/**
 * @param key by which the client repeats the request: the reply is then that of the first one [contract 23]
 * @throws AppError IDEMPOTENCY_KEY_REUSED, SESSION_NOT_FOUND, SESSION_FORBIDDEN, ASSIGNMENT_CLOSED, QUESTION_NOT_FOUND,
 *   VALIDATION_FAILED for the answer of another mode, QUESTION_ALREADY_ANSWERED, whichever applies first
 */
export async function answerAttempt(
  { attempts, postgres }: Pick<Services, 'attempts' | 'postgres'>,
  userId: string,
  { sessionId, questionId, ...fields }: AnswerRequest,
  key?: string,
): Promise<AnswerResult> {
  const answer = answerOf(fields);
  const attempt = await attempts.find(sessionId);
  const place = attempt?.questions.findIndex((known) => known.questionId === questionId) ?? -1;
  const question = attempt?.questions[place];
  const of = { attemptId: sessionId, userId, key };
  let judged: Judged<StoredAnswer> | null = null;
  for (let tries = 0; tries < TRIES; tries++) {
    // A text is not compared before its answer is known not to be refused. An option costs nothing to compare.
    if (tries > 0 || 'text' in answer) {
      const state = await findState(postgres, of, question ? place : null);
      if (attempt && state?.keptIn) return repeat({ sessionId, ...attempt }, state.keptIn, { key, place, answer });
      refuse(state, question, answer);
    }
    if (!attempt || !question) continue;
    judged ??= await judge({ postgres }, attempt, place, answer);
    const score = judged && (await storeAnswer(postgres, of, { ...judged, key }));
    if (!judged || !score) continue;
    const judgement = toJudgement(question, dealQuestion(question, attempt.secret), judged);
    return { sessionId, questionId, ...judgement, score };
  }
  throw new AppError('UNAVAILABLE');
}

/**
 * @param answers those of the attempt, one of which was brought by a request with the same key
 * @returns the reply to that request @throws AppError IDEMPOTENCY_KEY_REUSED where it gave another answer
 */
function repeat(
  attempt: DealtAttempt & { sessionId: string },
  answers: StoredAnswer[],
  { key, place, answer }: { key: string | undefined; place: number; answer: Answer },
): AnswerResult {
  const at = answers.findLastIndex((known) => known.key === key);
  const result = toResults(attempt, answers)[at];
  const given = result?.submittedText ?? result?.selectedOptionId;
  const isSame = answers[at]?.question === place && given === ('text' in answer ? answer.text : answer.optionId);
  if (!result || !isSame) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return result;
}

/** Refuses an answer in the order of the contract. */
function refuse(state: AttemptState | null, question: StoredQuestion | undefined, answer: Answer): void {
  if (!state || state.isFinished) throw new AppError('SESSION_NOT_FOUND');
  if (!state.isOwn) throw new AppError('SESSION_FORBIDDEN');
  if (state.isClosed) throw new AppError('ASSIGNMENT_CLOSED');
  if (!question) throw new AppError('QUESTION_NOT_FOUND');
  if ((question.answerMode === 'typed') !== 'text' in answer) throw wrongMode(answer);
  if (state.isAnswered) throw new AppError('QUESTION_ALREADY_ANSWERED');
}

/** @returns the answer as it is stored; null for the answer of another mode */
async function judge(
  deps: Pick<Services, 'postgres'>,
  { words, questions, secret }: DealtAttempt,
  place: number,
  answer: Answer,
): Promise<Judged<StoredAnswer> | null> {
  const question = questions[place] as StoredQuestion;
  if ('text' in answer) {
    const { targetLanguage: language } = words;
    const key = { language, accepted: question.texts };
    const typed = { words: wordsName(words), key, isAsked: isAskedBy(question) };
    const verdict = await judgeText(deps, typed, answer.text);
    return judgedText(place, answer.text, verdict, language);
  }
  const option = dealQuestion(question, secret).places[answer.optionId];
  return option === undefined ? null : judgeOption(place, option);
}
