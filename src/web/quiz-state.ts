// A quiz for one, as far as it has got. Pure, and plain data, so that it survives a reload.
import type { input } from 'zod';
import type { AnswerResult, GameRequest, GameSession } from '../singleplayer/schema.ts';
import type { Question } from '../vocabulary/schema.ts';
import type { Direction } from './deck-choice.ts';
import { optionText } from './option-text.ts';

/** What a quiz was started with; of a list its languages too, by which its questions are shown. */
export type QuizSettings = Omit<input<typeof GameRequest>, keyof Direction> & Direction;

type Judged = Pick<AnswerResult, 'selectedOptionId' | 'correctOptionId' | 'isCorrect'>;

/** What is read of the service's judgement. */
export type Judgement = Judged & { score: Pick<AnswerResult['score'], 'correct'> };

/** How a question was judged; `lost` when the answer counted but the network swallowed the result. */
export type Verdict = Judged | 'lost';

export interface Quiz {
  settings: QuizSettings;
  session: GameSession;
  /** One a question that was answered. */
  verdicts: Verdict[];
  /** The question on the screen; behind the last one when the quiz is over. */
  at: number;
  correct: number;
  /** What the page judges by itself: missed words that are practised. */
  practice?: Practice;
}

/** Plain data, as all of a quiz. */
export interface Practice {
  /** The right option of each question. */
  solutions: number[];
  /** The lobby that they were missed in. */
  lobby?: string;
}

export function startQuiz(settings: QuizSettings, session: GameSession): Quiz {
  return { settings, session, verdicts: [], at: 0, correct: 0 };
}

/** @returns the question on the screen, or null at the end */
export function questionAt({ session, at }: Quiz): Question | null {
  return session.questions[at] ?? null;
}

/** @returns how the question on the screen was judged, or null while it is open */
export function verdictAt({ verdicts, at }: Quiz): Verdict | null {
  return verdicts[at] ?? null;
}

/** The answer to the question on the screen was judged. The score is the service's. */
export function judged(quiz: Quiz, result: Judgement): Quiz {
  return { ...quiz, verdicts: [...quiz.verdicts, result], correct: result.score.correct };
}

/** The answer counted, but nobody knows how. */
export function lost(quiz: Quiz): Quiz {
  return { ...quiz, verdicts: [...quiz.verdicts, 'lost'] };
}

export function goOn(quiz: Quiz): Quiz {
  return { ...quiz, at: quiz.at + 1 };
}

/** A question that was not answered right, and what was right. */
export interface MissedQuestion {
  question: Question;
  correctOptionId: number;
  selectedOptionId: number | null;
}

/** @returns the questions that were missed, in their order */
export function missedQuestions({ session, verdicts }: Quiz): MissedQuestion[] {
  return session.questions.flatMap((question, index) => {
    const verdict = verdicts[index];
    return verdict && verdict !== 'lost' && !verdict.isCorrect ? [{ question, ...verdict }] : [];
  });
}

export interface MissedWord {
  prompt: string;
  gloss: string | undefined;
  correct: string;
  chosen: string | null;
}

/** @returns a question's words as a list of missed ones shows them */
export function missedWord(missed: MissedQuestion): MissedWord {
  const { question, correctOptionId, selectedOptionId } = missed;
  const { prompt, gloss } = question;
  return {
    prompt,
    gloss,
    correct: optionText(question, correctOptionId),
    chosen: optionText(question, selectedOptionId) || null,
  };
}
