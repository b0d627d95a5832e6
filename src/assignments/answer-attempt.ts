// Judges an answer in an attempt, which reaches POST /api/v1/game/answer. [contract 21]
import { AppError } from '../errors.ts';
import type { PostgresPool } from '../platform/postgres/postgres-pool.ts';
import type { AnswerRequest, AnswerResult } from '../singleplayer/schema.ts';
import { type Answer, answerOf, wrongMode } from '../vocabulary/typed/schema.ts';
import { toJudgement } from './answer-result.ts';
import { findState, storeAnswer } from './attempt-store.ts';
import type { Attempts } from './attempts.ts';
import { type DealtQuestion, dealQuestion } from './deal-questions.ts';
import {
  type Judged,
  judgeOption,
  judgeText,
  type StoredAnswer,
  type StoredQuestion,
} from './rules.ts';

export interface AttemptDeps {
  attempts: Attempts;
  postgres: Pick<PostgresPool, 'query'>;
}

/** How often an answer is tried: again if the assignment was closed and reopened between two statements. */
const TRIES = 2;

/**
 * @param userId the user who answers
 * @throws AppError SESSION_NOT_FOUND, SESSION_FORBIDDEN, ASSIGNMENT_CLOSED, QUESTION_NOT_FOUND, VALIDATION_FAILED for
 *   the answer of another mode, QUESTION_ALREADY_ANSWERED, whichever applies first
 */
export async function answerAttempt(
  { attempts, postgres }: AttemptDeps,
  userId: string,
  { sessionId, questionId, ...fields }: AnswerRequest,
): Promise<AnswerResult> {
  const answer = answerOf(fields);
  const attempt = await attempts.find(sessionId);
  const place = attempt?.questions.findIndex((known) => known.questionId === questionId) ?? -1;
  const question = attempt?.questions[place];
  const given = attempt && question ? judge(place, question, attempt.secret, answer) : null;
  const of = { attemptId: sessionId, userId };
  for (let tries = 0; tries < TRIES; tries++) {
    const score = given && (await storeAnswer(postgres, of, given.judged));
    if (score) return { sessionId, questionId, ...given.judgement, score };
    const state = await findState(postgres, of, question ? place : null);
    if (!state || state.isFinished) throw new AppError('SESSION_NOT_FOUND');
    if (!state.isOwn) throw new AppError('SESSION_FORBIDDEN');
    if (state.isClosed) throw new AppError('ASSIGNMENT_CLOSED');
    if (!question) throw new AppError('QUESTION_NOT_FOUND');
    if (!given) throw wrongMode(answer);
    if (state.isAnswered) throw new AppError('QUESTION_ALREADY_ANSWERED');
  }
  throw new AppError('UNAVAILABLE');
}

/** @returns the answer as it is stored and as the user gets it; null for the answer of another mode */
function judge(place: number, question: StoredQuestion, secret: string, answer: Answer) {
  const dealt = dealQuestion(question, secret);
  const judged = judgedAnswer(place, question, dealt, answer);
  return judged && { judged, judgement: toJudgement(question, dealt, judged) };
}

function judgedAnswer(
  place: number,
  { key }: StoredQuestion,
  { places }: DealtQuestion,
  answer: Answer,
): Judged<StoredAnswer> | null {
  if ('text' in answer) return key ? judgeText(place, answer.text, key) : null;
  const option = places[answer.optionId];
  return option === undefined ? null : judgeOption(place, option);
}
