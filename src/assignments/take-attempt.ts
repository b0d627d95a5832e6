// `POST /api/v1/assignments/:code/start` begins an attempt, or gives an open one again, and its answers reach
// `POST /api/v1/game/answer`. [contract 21]
import { AppError } from '../errors.ts';
import { canonicalOf } from '../judging/forms.ts';
import type { CodeSender, FindServices } from '../lobby/find-lobby.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import type { AnswerRequest, AnswerResult } from '../singleplayer/schema.ts';
import { isAskedBy, judgeText } from '../vocabulary/judge-text.ts';
import { wordsName } from '../vocabulary/rules.ts';
import { type Answer, answerOf, wrongMode } from '../vocabulary/schema.ts';
import { languagesOf } from '../vocabulary/words.ts';
import * as store from './attempt-store.ts';
import { dealQuestions, placesOfOptions, toJudgement, toResults } from './deal-questions.ts';
import { findAssignment } from './manage-assignments.ts';
import { attemptToResume, type JudgedAnswer, type StoredAnswer, type StoredQuestion } from './rules.ts';
import type { AttemptSession } from './schema.ts';

type StartServices = FindServices &
  Pick<Services, 'attempts' | 'postgres'> & {
    /** Runs the starts of an assignment in turn, since each of them waits for the same row's lock. */
    inStartTurn<T>(assignmentId: string, work: () => Promise<T>): Promise<T>;
  };

/**
 * How often a start is tried. Each further try means that another start of the same person was faster, that an open
 * attempt was finished, or that the owner has changed or deleted the assignment.
 */
const START_TRIES = 5;

/**
 * @returns the attempt, and whether it has begun by this call
 * @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED, ASSIGNMENT_CLOSED, ASSIGNMENT_NOT_OPEN, NO_ATTEMPTS_LEFT,
 *   ASSIGNMENT_FULL; UNAUTHENTICATED for a guest who has become an account in this moment
 */
export async function startAttempt(deps: StartServices, code: string, sender: CodeSender) {
  const { attempts, inStartTurn, postgres } = deps;
  for (let tries = 0; tries < START_TRIES; tries++) {
    const { view, state } = await findAssignment(deps, code, sender);
    const { assignmentId } = view;
    const openId = attemptToResume(state);
    const begun = { assignmentId, userId: sender.userId, number: state.begun + 1 };
    const attempt = openId
      ? await store.findOpenAttempt(postgres, openId)
      : await inStartTurn(assignmentId, () => store.insertAttempt(postgres, begun));
    const questions = attempt && (await attempts.questionsOf(assignmentId));
    if (!attempt || !questions) continue;
    const { id: sessionId, number, secret, answers } = attempt;
    const session: AttemptSession = {
      sessionId,
      expiresAt: view.closesAt,
      ...languagesOf(view),
      questions: dealQuestions(questions, secret),
      attempt: number,
      answered: toResults({ sessionId, questions, secret }, answers),
    };
    return { session, isNew: openId === null };
  }
  throw new AppError('UNAVAILABLE');
}

/** How often an answer is tried: again if the assignment was closed and reopened between two statements. */
const ANSWER_TRIES = 3;

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
  const request = { attemptId: sessionId, userId, key };
  let judged: JudgedAnswer | null = null;
  for (let tries = 0; tries < ANSWER_TRIES; tries++) {
    // A text is not compared before its answer is known not to be refused. An option costs nothing to compare.
    if (tries > 0 || 'text' in answer) {
      const state = await store.findState(postgres, request, question ? place : null);
      if (attempt && state?.keptIn) return repeat({ sessionId, ...attempt }, state.keptIn, { key, place, answer });
      refuse(state, question, answer);
    }
    if (!attempt || !question) continue;
    judged ??= await judge(postgres, attempt, place, answer);
    const score = judged && (await store.storeAnswer(postgres, request, judged));
    if (judged && score) return { sessionId, questionId, ...toJudgement(question, attempt.secret, judged), score };
  }
  throw new AppError('UNAVAILABLE');
}

/**
 * @param answers those of the attempt, one of which was brought by a request with the same key
 * @returns the reply to that request @throws AppError IDEMPOTENCY_KEY_REUSED where it gave another answer
 */
function repeat(
  attempt: store.DealtAttempt & { sessionId: string },
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
function refuse(state: store.AttemptState | null, question: StoredQuestion | undefined, answer: Answer): void {
  if (!state || state.isFinished) throw new AppError('SESSION_NOT_FOUND');
  if (!state.isOwn) throw new AppError('SESSION_FORBIDDEN');
  if (state.isClosed) throw new AppError('ASSIGNMENT_CLOSED');
  if (!question) throw new AppError('QUESTION_NOT_FOUND');
  if ((question.answerMode === 'typed') !== 'text' in answer) throw wrongMode(answer);
  if (state.isAnswered) throw new AppError('QUESTION_ALREADY_ANSWERED');
}

/** @returns the answer as it is stored; null for the answer of another mode */
async function judge(postgres: Postgres, attempt: store.DealtAttempt, place: number, answer: Answer) {
  const { words, questions, secret } = attempt;
  const question = questions[place] as StoredQuestion;
  if ('text' in answer) {
    const { targetLanguage: language } = words;
    const key = { language, accepted: question.texts };
    const asked = { words: wordsName(words), key, isAsked: isAskedBy(question) };
    const verdict = await judgeText({ postgres }, asked, answer.text);
    const given = { question: place, text: answer.text, verdict };
    if (verdict !== 'wrong') return { ...given, isCorrect: true };
    return { ...given, isCorrect: false, form: canonicalOf(answer.text, language) };
  }
  if (question.answerMode === 'typed') return null;
  const option = placesOfOptions(question, secret)[answer.optionId];
  return option === undefined ? null : { question: place, option, isCorrect: option === 0 };
}
