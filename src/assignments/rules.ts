// The pure rules of assignments: what is stored of questions and answers, how an answer is judged, and what a start
// does. [contract 21]
import { AppError } from '../errors.ts';
import { canonicalOf } from '../judging/forms.ts';
import type { Verdict } from '../judging/verdict.ts';

/** The length of an assignment's code, by which it differs from a lobby's. */
export const CODE_LENGTH = 8;

/** A question of an assignment with its answer, as it was drawn. Its place among the questions never changes. */
export interface StoredQuestion {
  questionId: string;
  prompt: string;
  gloss?: string | undefined;
  answerMode?: 'typed';
  /** The four options, or the accepted texts where the answer is typed; the correct one is the first. */
  texts: readonly string[];
}

export type StoredAnswer = {
  /** The place of the question among those of the assignment, from 0. */
  question: number;
  isCorrect: boolean;
  /** The time of PostgreSQL's clock, ms since 1970. */
  judgedAtMs: number;
  /** By which the client repeats the request that has brought the answer. [contract 23] */
  key?: string | undefined;
} & (ChosenAnswer | TypedAnswer);

interface ChosenAnswer {
  /** The place of the option among the texts of the question. */
  option: number;
}

interface TypedAnswer {
  text: string;
  verdict: Verdict;
  /** The form of a wrong text, by which equal mistakes are counted together. */
  form?: string | undefined;
}

export type Judged<Answer> = Answer extends unknown ? Omit<Answer, 'judgedAtMs'> : never;

/** @param option the place of the chosen option among the texts of the question */
export function judgeOption(question: number, option: number): Judged<StoredAnswer> {
  return { question, option, isCorrect: option === 0 };
}

/** @param language the ISO 639-1 code of the text's language */
export function judgedText(question: number, text: string, verdict: Verdict, language: string): Judged<StoredAnswer> {
  const isCorrect = verdict !== 'wrong';
  const form = isCorrect ? {} : { form: canonicalOf(text, language) };
  return { question, text, verdict, isCorrect, ...form };
}

export interface StartState {
  isEarly: boolean;
  isClosed: boolean;
  /** The number of attempts that each person may begin, and that this one has begun. */
  attempts: number;
  begun: number;
  /** The id of the attempt that is not finished by its last answer. */
  openId: string | null;
}

/**
 * @returns the attempt to go on with, or the number of the one to begin
 * @throws AppError ASSIGNMENT_CLOSED, ASSIGNMENT_NOT_OPEN, NO_ATTEMPTS_LEFT
 */
export function nextAttempt(state: StartState): { openId: string } | { number: number } {
  if (state.isClosed) throw new AppError('ASSIGNMENT_CLOSED');
  if (state.openId !== null) return { openId: state.openId };
  if (state.isEarly) throw new AppError('ASSIGNMENT_NOT_OPEN');
  if (attemptsLeft(state) === 0) throw new AppError('NO_ATTEMPTS_LEFT');
  return { number: state.begun + 1 };
}

/** @returns how many attempts may still be begun; a hand-over can have given more than are allowed */
export function attemptsLeft({ attempts, begun }: StartState): number {
  return Math.max(0, attempts - begun);
}
