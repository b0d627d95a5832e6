// A quiz for one, as far as it has got. Pure, and plain data, so that it survives a reload.
import type { input } from 'zod';
import type { AnswerResult, GameRequest, GameSession } from '../singleplayer/schema.ts';
import type { Question } from '../vocabulary/schema.ts';

type Settings = input<typeof GameRequest>;

/** How a question was judged; `lost` when the answer counted but the network swallowed the result. */
export type Verdict =
  | Pick<AnswerResult, 'selectedOptionId' | 'correctOptionId' | 'isCorrect'>
  | 'lost';

export interface Quiz {
  settings: Settings;
  session: GameSession;
  /** One a question that was answered. */
  verdicts: Verdict[];
  /** The question on the screen; behind the last one when the quiz is over. */
  at: number;
  correct: number;
}

export function startQuiz(settings: Settings, session: GameSession): Quiz {
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
export function judged(quiz: Quiz, result: AnswerResult): Quiz {
  return { ...quiz, verdicts: [...quiz.verdicts, result], correct: result.score.correct };
}

/** The answer counted, but nobody knows how. */
export function lost(quiz: Quiz): Quiz {
  return { ...quiz, verdicts: [...quiz.verdicts, 'lost'] };
}

export function goOn(quiz: Quiz): Quiz {
  return { ...quiz, at: quiz.at + 1 };
}

export interface MissedWord {
  prompt: string;
  gloss: string | undefined;
  correct: string;
  chosen: string | null;
}

/** @returns a question's words as a list of missed ones shows them */
export function missedWord(
  { prompt, gloss, options }: Question,
  correctOptionId: number,
  selectedOptionId: number | null,
): MissedWord {
  const textOf = (id: number | null) => options.find(({ optionId }) => optionId === id)?.text;
  return {
    prompt,
    gloss,
    correct: textOf(correctOptionId) ?? '',
    chosen: textOf(selectedOptionId) ?? null,
  };
}

/** @returns the words that were missed, in their order */
export function missedWords({ session, verdicts }: Quiz): MissedWord[] {
  return session.questions.flatMap((question, index) => {
    const verdict = verdicts[index];
    if (!verdict || verdict === 'lost' || verdict.isCorrect) return [];
    return [missedWord(question, verdict.correctOptionId, verdict.selectedOptionId)];
  });
}
