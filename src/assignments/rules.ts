// The pure rules of assignments: what is stored of questions and answers, and what a start does. [contract 21]
import { AppError } from '../errors.ts';
import type { Verdict } from '../judging/verdict.ts';
import type { WordText } from '../vocabulary/rules.ts';

/** The length of an assignment's code, by which it differs from a lobby's. */
export const CODE_LENGTH = 8;

/** A question of an assignment with its answer, as it was drawn. Its place among the questions never changes. */
export interface StoredQuestion extends WordText {
  questionId: string;
  answerMode?: 'typed';
  /** The four options, or the accepted texts where the answer is typed; the correct one is the first. */
  texts: readonly string[];
}

export type JudgedAnswer = {
  /** The place of the question among those of the assignment, from 0. */
  question: number;
  isCorrect: boolean;
} & (
  | {
      /** The place of the option among the texts of the question. */
      option: number;
    }
  | {
      text: string;
      verdict: Verdict;
      /** The form of a wrong text, by which equal mistakes are counted together. */
      form?: string | undefined;
    }
);

export type StoredAnswer = JudgedAnswer & {
  /** The time of PostgreSQL's clock, ms since 1970. */
  judgedAtMs: number;
  /** By which the client repeats the request that has brought the answer. [contract 23] */
  key?: string | undefined;
};

export interface StartState {
  isEarly: boolean;
  isClosed: boolean;
  /** The number of attempts that each person may begin, and that this one has begun. */
  attempts: number;
  begun: number;
  /** The id of the attempt that is not finished by its last answer. */
  openId: string | null;
}

/** @returns why nobody can begin an attempt now; null where somebody can */
export function refusalOf({ isEarly, isClosed }: StartState): 'ASSIGNMENT_CLOSED' | 'ASSIGNMENT_NOT_OPEN' | null {
  if (isClosed) return 'ASSIGNMENT_CLOSED';
  return isEarly ? 'ASSIGNMENT_NOT_OPEN' : null;
}

/**
 * @returns the id of the attempt to go on with; null where the next one can begin
 * @throws AppError ASSIGNMENT_CLOSED, ASSIGNMENT_NOT_OPEN, NO_ATTEMPTS_LEFT
 */
export function attemptToResume(state: StartState): string | null {
  const refusal = refusalOf(state);
  // An open attempt goes on even if the owner has moved the opening into the future.
  if (state.openId !== null && refusal !== 'ASSIGNMENT_CLOSED') return state.openId;
  if (refusal) throw new AppError(refusal);
  if (state.begun >= state.attempts) throw new AppError('NO_ATTEMPTS_LEFT');
  return null;
}
